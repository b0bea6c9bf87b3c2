import { expect, test } from "vitest";

import { isLoopback, toAllowedHosts } from "./allowed-hosts.ts";

test.each([
  ["127.0.0.1", ["127.0.0.1:4270", "localhost:4270", "[::1]:4270"]],
  ["127.0.0.2", ["127.0.0.1:4270", "localhost:4270", "[::1]:4270", "127.0.0.2:4270"]],
  ["::1", ["127.0.0.1:4270", "localhost:4270", "[::1]:4270"]],
  ["localhost", ["127.0.0.1:4270", "localhost:4270", "[::1]:4270"]],
  ["0.0.0.0", ["127.0.0.1:4270", "localhost:4270", "[::1]:4270"]],
  ["::", ["127.0.0.1:4270", "localhost:4270", "[::1]:4270"]],
  ["192.0.2.7", ["192.0.2.7:4270"]],
  ["2001:db8::7", ["[2001:db8::7]:4270"]],
  ["Box.Example", ["box.example:4270"]],
])("bound to %s the hosts are %o", (host, hosts) => {
  const allowed = toAllowedHosts({ host, port: 4270 });
  expect([...allowed.hosts]).toEqual(hosts);
  expect([...allowed.origins]).toEqual(hosts.map((name) => `http://${name}`));
});

test("on the default port a host may omit the port, as browsers do", () => {
  const { hosts, origins } = toAllowedHosts({ host: "192.0.2.7", port: 80 });
  expect([...hosts]).toEqual(["192.0.2.7:80", "192.0.2.7"]);
  expect([...origins]).toEqual(["http://192.0.2.7"]);
});

test.each([
  ["https://hold.example", ["hold.example", "hold.example:443"], "https://hold.example"],
  ["http://hold.example", ["hold.example", "hold.example:80"], "http://hold.example"],
  ["https://hold.example:8443", ["hold.example:8443"], "https://hold.example:8443"],
])("the public URL %s adds %o", (publicUrl, added, origin) => {
  const bind = { host: "192.0.2.7", port: 4270, publicUrl: new URL(publicUrl) };
  const { hosts, origins } = toAllowedHosts(bind);
  expect([...hosts]).toEqual(["192.0.2.7:4270", ...added]);
  expect([...origins]).toEqual(["http://192.0.2.7:4270", origin]);
});

test("its pages are at its origins, and under the path of the public URL", () => {
  const publicUrl = new URL("https://hold.example/team/");
  const { origins, pageUrls } = toAllowedHosts({ host: "192.0.2.7", port: 4270, publicUrl });
  expect([...origins]).toEqual(["http://192.0.2.7:4270", "https://hold.example"]);
  expect([...pageUrls]).toEqual([
    "http://192.0.2.7:4270",
    "https://hold.example/team",
    "http://192.0.2.7:4270/team",
  ]);
});

test("with TLS the origins are https, and the names of the certificate are hosts as well", () => {
  const bind = { host: "0.0.0.0", isSecure: true, names: ["Desk.example", "192.0.2.7"] };
  const { hosts, origins } = toAllowedHosts({ ...bind, port: 443 });
  const names = ["127.0.0.1", "localhost", "[::1]", "desk.example", "192.0.2.7"];
  expect([...hosts]).toEqual(names.flatMap((name) => [`${name}:443`, name]));
  expect([...origins]).toEqual(names.map((name) => `https://${name}`));
});

test.each([
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["::1", true],
  ["localhost", true],
  ["0.0.0.0", false],
  ["::", false],
  ["127.0.0.1.example", false],
  ["192.0.2.7", false],
])("%s is loopback: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
