import type { IncomingMessage } from "node:http";

import { expect, test } from "vitest";

import { TrustedProxies } from "./trusted-proxies.ts";

function request(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

const proxies = new TrustedProxies(["10.0.0.0/8", "127.0.0.1", "2001:db8::/32"]);

test.each<[string, string, Record<string, string>, string]>([
  [
    "of a stranger that forges both headers is the stranger",
    "192.0.2.9",
    { "x-forwarded-for": "203.0.113.1", "x-forwarded-proto": "https" },
    "192.0.2.9",
  ],
  [
    "behind one proxy is the one that the proxy adds",
    "10.1.2.3",
    { "x-forwarded-for": "203.0.113.1" },
    "203.0.113.1",
  ],
  [
    "behind one proxy is not what the client puts in front",
    "10.1.2.3",
    { "x-forwarded-for": "198.51.100.7, 127.0.0.1, 203.0.113.1" },
    "203.0.113.1",
  ],
  [
    "behind two proxies is in front of the second",
    "127.0.0.1",
    { "x-forwarded-for": "6.6.6.6, 203.0.113.1, 10.9.9.9" },
    "203.0.113.1",
  ],
  [
    "is the left-most if all are trusted",
    "127.0.0.1",
    { "x-forwarded-for": "10.0.0.1, 10.0.0.2" },
    "10.0.0.1",
  ],
  [
    "stays the proxy's before an invalid address",
    "10.1.2.3",
    { "x-forwarded-for": "203.0.113.1, unknown" },
    "10.1.2.3",
  ],
  ["stays the proxy's without a header", "10.1.2.3", {}, "10.1.2.3"],
  ["stays the proxy's with an empty header", "10.1.2.3", { "x-forwarded-for": "" }, "10.1.2.3"],
  ["has no port", "10.1.2.3", { "x-forwarded-for": "203.0.113.1:4711" }, "203.0.113.1"],
  [
    "has no port and no brackets",
    "2001:db8::1",
    { "x-forwarded-for": "[2a00::7]:4711" },
    "2a00::7",
  ],
  [
    "may be written as IPv6",
    "::ffff:10.1.2.3",
    { "x-forwarded-for": "::ffff:203.0.113.1" },
    "203.0.113.1",
  ],
  [
    "is in no other header",
    "10.1.2.3",
    { "x-real-ip": "203.0.113.1", forwarded: "for=203.0.113.1" },
    "10.1.2.3",
  ],
])("the address %s", (_, peer, headers, expected) => {
  expect(proxies.clientOf(request(peer, headers)).address).toBe(expected);
});

test("the protocol is the last one that a trusted proxy reports", () => {
  const said = { "x-forwarded-proto": "http, HTTPS" };
  expect(proxies.clientOf(request("10.1.2.3", said)).protocol).toBe("https");
  expect(proxies.clientOf(request("192.0.2.9", said)).protocol).toBeUndefined();
  const odd = { "x-forwarded-proto": "gopher" };
  expect(proxies.clientOf(request("10.1.2.3", odd)).protocol).toBeUndefined();
});

test("no proxy is trusted unless it is named", () => {
  const none = new TrustedProxies();
  const forged = { "x-forwarded-for": "203.0.113.1" };
  for (const peer of ["127.0.0.1", "::1", "10.0.0.1"]) {
    expect(none.clientOf(request(peer, forged)).address).toBe(peer);
  }
});

test("a header of any length is read quickly, from its right", () => {
  const long = { "x-forwarded-for": `${"10.0.0.1,".repeat(1700)}203.0.113.1` };
  expect(proxies.clientOf(request("10.1.2.3", long)).address).toBe("203.0.113.1");
});

test.each(["10.0.0.0/33", "::/129", "proxy.example", "10.0.0", "", "10.0.0.0/8/8", "10.0.0.0/-1"])(
  "%j is refused by name",
  (network) => {
    expect(() => new TrustedProxies([network])).toThrow(`"${network}" is no address or network`);
  },
);
