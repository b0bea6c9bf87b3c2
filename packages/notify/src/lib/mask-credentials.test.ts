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
])("a token is masked by its form: %s", (token) => {
  expect(maskCredentials(`echo ${token} > x`)).toBe("echo ••• > x");
});

test.each([
  "npm run build",
  "git commit -m 'Fix the author of a page'",
  "rm -rf node_modules && npm ci",
  "Edit src/components/token-list.tsx?",
  "git checkout 9fceb02d0ae598e95dc970b74767f19372d61af8",
  "open /Users/Ada/Project1/src/components/shared/List.tsx",
  "ls /home/ada/projects/orders-api/packages/engine/src/interaction",
])("an ordinary line stays as it is: %s", (line) => {
  expect(maskCredentials(line)).toBe(line);
});

test("a long line takes no long time", () => {
  const started = performance.now();
  maskCredentials("token ".repeat(5000) + "a".repeat(50_000) + "=".repeat(10_000));
  expect(performance.now() - started).toBeLessThan(1000);
});
