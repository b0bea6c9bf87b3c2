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
])("a token is masked by its form: %s", (token) => {
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
  "git checkout 9fceb02d0ae598e95dc970b74767f19372d61af8",
  "open /Users/Ada/Project1/src/components/shared/List.tsx",
  "ls /home/ada/projects/orders-api/packages/engine/src/interaction",
])("an ordinary line stays as it is: %s", (line) => {
  expect(maskCredentials(line)).toBe(line);
});

test("a long line takes no long time", () => {
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
