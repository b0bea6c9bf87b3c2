import { describe, expect, test } from "vitest";

import { createSystemIds } from "./system-ids.ts";

describe("system ids", () => {
  test("are long, distinct and begin with their kind", () => {
    const ids = createSystemIds();
    const made = Array.from({ length: 1000 }, () => ids.next("int"));
    expect(new Set(made).size).toBe(1000);
    expect(made[0]).toMatch(/^int_[0-9a-f]{38}$/);
  });

  test("ascend in order of creation, however many come at once and whatever the clock does", () => {
    const instants = [1_800_000_000_000, 1_800_000_000_000, 1_700_000_000_000, 1_800_000_000_001];
    let now = 0;
    const ids = createSystemIds({ now: () => now });
    const made = instants.flatMap((instant) => {
      now = instant;
      return Array.from({ length: 5000 }, () => ids.next("msg"));
    });
    expect(made.toSorted()).toEqual(made);
  });

  test("[R-15] of two gateways never collide, even if made in the same moment", () => {
    const clock = { now: () => 1_800_000_000_000 };
    const [one, other] = [createSystemIds(clock), createSystemIds(clock)];
    const made = Array.from({ length: 1000 }, () => [one.next("ses"), other.next("ses")]).flat();
    expect(new Set(made).size).toBe(2000);
  });

  test("never share their random part, however many are made", () => {
    const ids = createSystemIds({ now: () => 0 });
    const parts = Array.from({ length: 2000 }, () => ids.next("int").slice(-24));
    expect(new Set(parts).size).toBe(2000);
  });
});
