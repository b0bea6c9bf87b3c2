import { expect, test } from "vitest";

import { maskCredentials } from "./mask-credentials.ts";

const SECRET = "hunter2-Zx81";

test.each([
  `API_KEY=${SECRET} npm run deploy`,
  `export GITHUB_TOKEN="${SECRET}"`,
  `mysql --password ${SECRET} -e 'select 1'`,
  `mysql --password='${SECRET} and more' x`,
  `curl -H 'Authorization: Bearer ${SECRET}' https://api.example`,
  `curl -u ada:${SECRET} https://api.example`,
  `curl https://ada:${SECRET}@api.example/x`,
  `curl 'https://api.example/x?access_token=${SECRET}&y=1'`,
  `psql "password: ${SECRET}"`,
  // The first line of a longer value.
  `export PASSWORD="${SECRET}`,
  `mysql --password='${SECRET}`,
  `export DB_PASS=${SECRET}`,
  `export DB_PASSWORD=${SECRET}"and ${SECRET}"`,
  `curl -H 'Authorization: token ${SECRET}' https://api.example`,
  `curl --header "Cookie: a=1; session=${SECRET}" https://api.example`,
  `curl --user ada:${SECRET} https://api.example`,
  `curl --user=ada:${SECRET} https://api.example`,
  `curl -u 'ada:a ${SECRET}' https://api.example`,
  `curl https://ada:p@${SECRET}@api.example/x`,
  `curl 'https://blob.example/x?sv=1&sig=${SECRET}'`,
  `curl -d "{\\"password\\":\\"a ${SECRET}\\"}" https://api.example`,
  `curl -d '{"password":"a\\" ${SECRET}"}' https://api.example`,
  `mysql -uroot -p${SECRET} shop`,
  `sshpass -p ${SECRET} ssh ada@host`,
  `docker login -u ada -p ${SECRET} registry.example`,
  `redis-cli -h host -a ${SECRET} ping`,
  `openssl rsa -passin pass:${SECRET} -in key.pem`,
  `echo ${SECRET} | docker login --password-stdin`,
  `printf '%s' "${SECRET}" | sudo -S ls`,
  `npm config set _authToken ${SECRET}`,
  `gh secret set DEPLOY --body ${SECRET}`,
  `ENCRYPTION_KEY=${SECRET} node app.js`,
  `npm publish --otp ${SECRET}`,
  `ssh-keygen -t ed25519 -N ${SECRET} -f key`,
  `ssh-keygen -p -P ${SECRET} -f key`,
  `openssl enc -aes-256-cbc -k ${SECRET} -in a`,
  `openssl enc -aes-256-cbc -K ${SECRET} -iv 0`,
  `zip -r -P ${SECRET} a.zip src`,
  `unzip -P ${SECRET} a.zip`,
  `7z x -p${SECRET} a.7z`,
  `7za a -mhe -p'${SECRET}' a.7z src`,
  `rar a -hp${SECRET} a.rar src`,
  `ldapsearch -x -D cn=admin -w ${SECRET} -b dc=x`,
  `ldapmodify -w '${SECRET}' -f x.ldif`,
  `kubectl create secret generic db --from-literal=login=${SECRET}`,
  `kubectl create secret generic db --from-literal key='${SECRET}'`,
  `curl -X POST https://hooks.slack.com/services/T00/B00/${SECRET}`,
  `curl 'https://discord.com/api/webhooks/123/${SECRET}' -d x`,
  `curl https://api.telegram.org/bot123:${SECRET}/sendMessage`,
  `sqlcmd -S db -U sa -P ${SECRET} -Q 'select 1'`,
  `mongosh -u root -p ${SECRET} db`,
  `mongodump --uri x -p=${SECRET}`,
  `ipmitool -H host -U admin -P ${SECRET} power on`,
  `mosquitto_pub -u ada -P ${SECRET} -t x -m y`,
  `snmpwalk -v3 -A ${SECRET} -X ${SECRET} host`,
  `snmpget -v2c -c ${SECRET} host`,
  `smbclient //host/share -U ada%${SECRET}`,
  `lftp -u ada,${SECRET} host`,
  `sqlplus scott/${SECRET}@db`,
  `http -a ada:${SECRET} example.org`,
  `twine upload -u ada -p ${SECRET} dist/x.whl`,
  `xfreerdp /u:ada /p:${SECRET} /v:host`,
  `rabbitmqctl add_user ada ${SECRET}`,
  `htpasswd -bc file ada ${SECRET}`,
  `wpa_passphrase home ${SECRET}`,
  `nmcli dev wifi connect home password ${SECRET}`,
  `vault login ${SECRET}`,
  `vault kv put secret/db value=${SECRET}`,
  `qpdf --encrypt ${SECRET} owner 256 -- a b`,
  `pdftk a.pdf output b.pdf user_pw ${SECRET}`,
  `keytool -list -storepass ${SECRET} -keystore x`,
  `sudo -S ls <<< ${SECRET}`,
  `echo ${SECRET} | cryptsetup luksOpen /dev/x y -`,
  `printf ${SECRET} | kinit ada`,
])("a credential is masked: %s", (command) => {
  const masked = maskCredentials(command);
  expect(masked).not.toContain("hunter2");
  expect(masked).not.toContain("Zx81");
  expect(masked).toContain("•••");
});

test.each([
  "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  "sk-ant-api03-abcdefghijklmnopqrst",
  "AKIAIOSFODNN7EXAMPLE",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def",
  "wJalrXUtnFEMI7K7MDENG0bPxRfiCYEXAMPLEKEY",
  "9f86d081884c7d659a2feaa0c55ad015",
  "9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015",
  "SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz",
  "hvs.CAESIJabcdefghijklmnop",
  "AGE-SECRET-KEY-1QQPQYZ",
  "ASIAIOSFODNN7EXAMPLE",
])("a token is masked because of its form: %s", (token) => {
  expect(maskCredentials(`echo ${token} > x`)).toBe("echo ••• > x");
});

test.each([
  "npm run build",
  "git commit -m 'Fix the author of a page'",
  "rm -rf node_modules && npm ci",
  "Edit src/components/token-list.tsx?",
  "python skeletonization_helpers.py",
  "git commit -m 'Compass: show the key of a map'",
  "mkdir -p packages/notify/src",
  "docker run -p 8080:80 nginx",
  "ssh -p 2222 ada@host",
  "sort --key 2 names.txt",
  "mysql -h db.example shop",
  "zip -r a.zip src",
  "unzip -p a.zip names.txt",
  "openssl version",
  "kubectl get pods -n shop",
  "ssh-keygen -t ed25519 -f key",
  "http GET example.org/x",
  "net start",
  "vault status",
  "7z l a.7z",
  "git checkout 9fceb02d0ae598e95dc970b74767f19372d61af8",
  "open /Users/Ada/Project1/src/components/shared/List.tsx",
  "ls /home/ada/projects/orders-api/packages/engine/src/interaction",
])("an ordinary line stays unchanged: %s", (line) => {
  expect(maskCredentials(line)).toBe(line);
});

test("a long line is masked quickly", () => {
  const before = process.cpuUsage();
  for (const text of [
    "token ".repeat(5000) + "a".repeat(50_000) + "=".repeat(10_000),
    `password=${'"a'.repeat(20_000)}`,
    "echo ".repeat(5000),
    "mysql -".repeat(3000),
    "secret set ".repeat(3000),
    `https://${"a:".repeat(20_000)}`,
  ]) {
    maskCredentials(text.slice(0, 1000));
  }
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
});
