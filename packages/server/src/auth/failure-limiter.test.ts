import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { FailureLimiter } from "./failure-limiter.ts";

function fail(limiter: FailureLimiter, address: string, count = 10): void {
  for (let index = 0; index < count; index += 1) limiter.countFailure(address, `wrong-${index}`);
}

function isBlocked(limiter: FailureLimiter, address: string): boolean {
  try {
    limiter.countFailure(address, "another");
    return false;
  } catch {
    return true;
  }
}

test.each([
  ["203.0.113.7", "203.0.113.8", false],
  ["127.0.0.1", "::ffff:127.0.0.1", true],
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true],
  ["2001:db8::1", "2001:db8:0:0:9::", true],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
  ["::1", "2001:db8::1", false],
])("%s and %s share their failures: %s", (first, second, isShared) => {
  const limiter = new FailureLimiter(new SimulatedClock());
  fail(limiter, first);
  expect(() => limiter.countFailure(first, "another")).toThrow("Too many wrong credentials");
  expect(isBlocked(limiter, second)).toBe(isShared);
});

test("memory is bounded: the address that failed longest ago is forgotten", () => {
  const limiter = new FailureLimiter(new SimulatedClock());
  fail(limiter, "198.51.100.1");
  for (let index = 0; index < 4096; index += 1) {
    limiter.countFailure(`10.0.${index >> 8}.${index & 255}`, "wrong");
  }
  expect(() => limiter.countFailure("198.51.100.1", "another")).not.toThrow();
});

test("all unknown addresses count as one", () => {
  const limiter = new FailureLimiter(new SimulatedClock());
  for (let index = 0; index < 10; index += 1) limiter.countFailure(undefined, `wrong-${index}`);
  expect(() => limiter.countFailure(undefined, "another")).toThrow("Too many wrong credentials");
});
