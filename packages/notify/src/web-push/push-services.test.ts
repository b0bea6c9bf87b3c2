import { expect, test } from "vitest";

import { createPushServices } from "./push-services.ts";

const GOOD = [
  "https://fcm.googleapis.com/fcm/send/abc:APA91b",
  "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
  "https://web.push.apple.com/QGuQyavXutnMH",
  "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAB",
];

test("a browser's push service is accepted", () => {
  const places = createPushServices();
  for (const endpoint of GOOD) expect(places.parse(endpoint)?.href).toBe(endpoint);
});

test("any other address is refused", async ({ annotate }) => {
  const hosts = [
    "169.254.169.254",
    "[fd00:ec2::254]",
    "metadata.google.internal",
    "localhost",
    "localhost:4870",
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "10.0.0.1",
    "fcm.googleapis.com:8443",
    "fcm.googleapis.com:22",
    "fcm.googleapis.com.",
    "fcm.googleapis.com.evil.example",
    "evil-fcm.googleapis.com",
    "evil.example",
    "push.apple.com",
    "evilpush.apple.com",
    "push.services.mozilla.com.evil.example",
    "xn--pple-43d.push.apple.com.evil.example",
    "user@fcm.googleapis.com",
    "user:password@fcm.googleapis.com",
    "fcm.googleapis.com@evil.example",
    "fcm.googleapis.com#@evil.example",
    "evil.example\\@fcm.googleapis.com",
  ];
  const schemes = ["http", "ftp", "file", "ws", "javascript", "data"];
  const bad = [
    ...hosts.map((host) => `https://${host}/wpush/1`),
    ...schemes.map((scheme) => `${scheme}://fcm.googleapis.com/1`),
    "",
    "fcm.googleapis.com",
    "//fcm.googleapis.com/1",
    `https://fcm.googleapis.com/${"x".repeat(2048)}`,
    "https://fcm.googleapis.com/1#fragment",
  ];
  const places = createPushServices(["push.example.org", "*.push.example.net", "127.0.0.1:8443"]);
  const taken: string[] = [];
  let tried = 0;
  for (const endpoint of bad) {
    if (places.parse(endpoint)) taken.push(endpoint);
    tried += 1;
  }
  expect(taken).toEqual([]);
  expect(tried).toBe(37);
  await annotate(`${tried} addresses that are no push service's`, "cases");
});

test("a service named in the config is accepted too, with exactly its port", () => {
  const places = createPushServices(["push.example.org", "*.push.example.net", "127.0.0.1:8443"]);
  const taken = [
    "https://push.example.org/1",
    "https://a.push.example.net/1",
    "https://127.0.0.1:8443/1",
    "https://127.0.0.1/1",
    "https://127.0.0.1:8444/1",
    "https://a.push.example.org/1",
    "https://push.example.net/1",
  ].map((endpoint) => places.parse(endpoint) !== undefined);
  expect(taken).toEqual([true, true, true, false, false, false, false]);
  const rules = ["https://127.0.0.1:8443/1", "https://fcm.googleapis.com/1"].map((endpoint) =>
    places.ruleOf(new URL(endpoint))("127.0.0.1"),
  );
  expect(rules).toEqual([true, false]);
});
