import { expect, test } from "vitest";

import { isNotLinkLocal, isPublicAddress } from "./address-rules.ts";

const LINK_LOCAL = [
  "169.254.169.254",
  "169.254.0.1",
  "0.0.0.0",
  "255.255.255.255",
  "100.100.100.200",
  "fe80::1",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd00:c1::a9fe:a9fe",
  "fd00:42::42",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "64:ff9b:1::a9fe:a9fe",
  "64:ff9b::a83f:8110",
  "64:ff9b::c000:c0",
  "::169.254.169.254",
  "::ffff:0:169.254.169.254",
  "2002:6464:64c8::1",
  "fe80::1%eth0",
  "64:ff9b:1:a9fe:a9:fe00::",
  "::",
  "",
  "localhost",
  "169.254.169.254.",
];
const PRIVATE = [
  "127.0.0.1",
  "10.1.2.3",
  "192.168.0.1",
  "172.31.0.1",
  "100.64.1.1",
  "::1",
  "fd12::1",
  "::ffff:127.0.0.1",
  "::127.0.0.1",
  "::10.1.2.3",
  "::ffff:0:127.0.0.1",
  "2001:0:4136:e378:8000:63bf:80ff:fffe",
  "64:ff9b::7f00:1",
  "64:ff9b:1::7f00:1",
  "64:ff9b:1:7f00:0:100::",
];
const PUBLIC = ["8.8.8.8", "142.250.1.1", "2a00:1450:4001::1", "::ffff:8.8.8.8"];

test("push services are at public addresses only, and webhooks at any address except link-local ones", () => {
  expect([...LINK_LOCAL, ...PRIVATE].filter(isPublicAddress)).toEqual([]);
  expect(PUBLIC.filter(isPublicAddress)).toEqual(PUBLIC);
  expect(LINK_LOCAL.filter(isNotLinkLocal)).toEqual([]);
  expect([...PRIVATE, ...PUBLIC].filter(isNotLinkLocal)).toEqual([...PRIVATE, ...PUBLIC]);
});
