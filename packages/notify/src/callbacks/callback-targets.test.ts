import type { LookupAddress } from "node:dns";

import { createSystemClock } from "@holdpoint/engine";
import { expect, onTestFinished, test } from "vitest";

import { createPoster } from "../lib/post.ts";
import { SECRET, startReceiver } from "../testing/callback-scene.ts";
import { createCallbackTargets } from "./callback-targets.ts";

const places = createCallbackTargets([
  { host: "ci.example.org", secret: SECRET },
  { host: "Desk.example.org:8443", secret: SECRET },
  { host: "build.lan", secret: SECRET, private: true },
  { host: "127.0.0.1:9000", secret: SECRET },
  { host: "[::1]:9000", secret: SECRET },
  { host: "169.254.169.254", secret: SECRET },
]);

test.each([
  ["https://ci.example.org/done?job=1", true],
  ["https://ci.example.org:443/", true],
  ["http://ci.example.org/", false],
  ["https://ci.example.org./", false],
  ["https://xci.example.org/", false],
  ["https://ci.example.org.evil.example/", false],
  ["https://desk.example.org:8443/", true],
  ["https://desk.example.org/", false],
  ["http://build.lan/", true],
  ["http://127.0.0.1:9000/", true],
  ["http://2130706433:9000/", true],
  ["http://127.0.0.1:9001/", false],
  ["http://[::1]:9000/", true],
  ["http://[::ffff:127.0.0.1]:9000/", false],
  ["http://a:b@127.0.0.1:9000/", false],
  ["ftp://ci.example.org/", false],
  ["not an address", false],
])("[R-20] a callback to %s is allowed: %s", (address, isAllowed) => {
  expect(typeof places(address)).toBe(isAllowed ? "object" : "string");
});

/** Sends to that address, while every name resolves to the found addresses. */
async function sendTo(address: string, found: readonly string[]) {
  const place = places(address);
  if (typeof place === "string") throw new Error(place);
  const addresses: LookupAddress[] = found.map((each) => ({
    address: each,
    family: each.includes(":") ? 6 : 4,
  }));
  const lookup = (_: string, __: unknown, done: (error: null, found: LookupAddress[]) => void) =>
    done(null, addresses);
  const poster = createPoster(createSystemClock(), { lookup: lookup as never });
  onTestFinished(() => poster[Symbol.dispose]());
  const { signal } = new AbortController();
  return poster.post({ ...place, headers: {}, body: Buffer.from("{}"), signal });
}

const REFUSED = { kind: "unreachable", reason: "ADDRESS_REFUSED" };

test.each([
  ["https://ci.example.org/", ["169.254.169.254"]],
  ["https://ci.example.org/", ["127.0.0.1"]],
  ["https://ci.example.org/", ["10.0.0.7"]],
  ["https://ci.example.org/", ["::ffff:192.168.0.1"]],
  ["https://ci.example.org/", ["93.184.216.34", "127.0.0.1"]],
  ["http://build.lan/", ["169.254.169.254"]],
  ["http://build.lan/", ["::ffff:169.254.169.254"]],
  ["http://build.lan/", ["64:ff9b::a9fe:a9fe"]],
  ["http://build.lan/", ["2002:a9fe:a9fe::1"]],
  ["http://build.lan/", ["fd00:ec2::254"]],
  ["http://build.lan/", ["100.100.100.200"]],
  ["http://169.254.169.254/", []],
])("[R-20] nothing is sent to %s when it resolves to %s", async (address, found) => {
  expect(await sendTo(address, found)).toEqual(REFUSED);
});

test("a host name that the config calls private may resolve to an address of this machine", async () => {
  const { received, port } = await startReceiver();
  const allowed = createCallbackTargets([{ host: `localhost:${port}`, secret: SECRET }]);
  const place = allowed(`http://localhost:${port}/`);
  expect(place).toBeTypeOf("object");
  const poster = createPoster(createSystemClock());
  onTestFinished(() => poster[Symbol.dispose]());
  const { signal } = new AbortController();
  const request = { ...(place as Exclude<typeof place, string>), headers: {}, signal };
  const answer = await poster.post({ ...request, body: Buffer.from("{}") });
  expect(answer).toMatchObject({ kind: "answered", status: 204 });
  expect(received).toHaveLength(1);
});
