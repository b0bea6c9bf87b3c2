import { describe, expect, test } from "vitest";

import { createSystemIds } from "../lib/system-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { createPairingCode, readPairingCode } from "./pairing-code.ts";
import { Pairings } from "./pairings.ts";

const MINUTE_MS = 60_000;

function openPairings() {
  const clock = new SimulatedClock();
  const pairings = new Pairings({ clock, ids: createSystemIds() });
  const misses: number[] = [];
  pairings.onMiss((triesLeft) => misses.push(triesLeft));
  return { clock, pairings, misses };
}

describe("a pairing code", () => {
  test("has more than 40 random bits, and no letters that look alike", ({ annotate }) => {
    const planned = 2000;
    const ids = createSystemIds();
    const codes = Array.from({ length: planned }, () => createPairingCode(ids));
    const seen = new Map<string, number>();
    for (const code of codes) {
      expect(code).toMatch(/^[34679ACDEFGHJKMNPRTWXY]{3}(-[34679ACDEFGHJKMNPRTWXY]{3}){2}$/);
      for (const letter of code.replaceAll("-", "")) seen.set(letter, (seen.get(letter) ?? 0) + 1);
    }
    expect(new Set(codes).size).toBe(planned);
    expect(9 * Math.log2(seen.size)).toBeGreaterThan(40);
    const mean = (planned * 9) / seen.size;
    for (const count of seen.values()) expect(Math.abs(count - mean)).toBeLessThan(mean * 0.25);
    void annotate(`${planned} pairing codes, each its own`, "cases");
  });

  test.each(["3ka-xw7-pct", "3KAXW7PCT", " 3ka xw7 pct ", "3KA–XW7–PCT"])(
    "may be typed as %j",
    (text) => expect(readPairingCode(text)).toBe("3KA-XW7-PCT"),
  );

  test.each(["", "3KA-XW7", "3KA-XW7-PCTT", "0KA-XW7-PCT", "3KA-XW7-PCЕ", "#".repeat(5000)])(
    "is not %j",
    (text) => expect(readPairingCode(text)).toBeUndefined(),
  );

  test("works once, even if two requests come at the same instant", async () => {
    const { pairings } = openPairings();
    const { code } = pairings.create();
    const both = await Promise.all([0, 1].map(async () => pairings.redeem(code)));
    expect(both.map((redeemed) => redeemed !== undefined)).toEqual([true, false]);
  });

  test("ends after five minutes", async () => {
    const { pairings, clock } = openPairings();
    const [late, inTime] = [pairings.create(), pairings.create()];
    await clock.advance(5 * MINUTE_MS - 1);
    expect(pairings.redeem(inTime.code)).toBeDefined();
    await clock.advance(1);
    expect(pairings.redeem(late.code)).toBeUndefined();
  });

  test("is void after five wrong ones, and the next one is not", () => {
    const { pairings, misses } = openPairings();
    const ids = createSystemIds();
    const codes = [pairings.create().code, pairings.create().code];
    for (let miss = 0; miss < 5; miss += 1) pairings.redeem(createPairingCode(ids));
    expect(misses).toEqual([4, 3, 2, 1, 0]);
    for (const code of codes) expect(pairings.redeem(code)).toBeUndefined();
    const { code } = pairings.create();
    for (let miss = 0; miss < 4; miss += 1) pairings.redeem(createPairingCode(ids));
    expect(pairings.redeem(code)).toBeDefined();
  });

  test("loses no try to text that is not a pairing code, such as an old launch code", () => {
    const { pairings, misses } = openPairings();
    const { code } = pairings.create();
    for (let index = 0; index < 20; index += 1) pairings.redeem(`launch-code-${index}`);
    expect(misses).toEqual([]);
    expect(pairings.redeem(code)).toBeDefined();
  });

  test("is wrong at another gateway", () => {
    const [here, there] = [openPairings(), openPairings()];
    const { code } = there.pairings.create();
    here.pairings.create();
    expect(here.pairings.redeem(code)).toBeUndefined();
    expect(here.misses).toEqual([4]);
    expect(there.pairings.redeem(code)).toBeDefined();
  });

  test("is not voided by any number of new ones, which are refused", async () => {
    const { pairings, clock } = openPairings();
    const { code } = pairings.create();
    for (let more = 0; more < 3; more += 1) pairings.create();
    for (let more = 0; more < 100; more += 1) {
      expect(() => pairings.create()).toThrow(expect.objectContaining({ code: "RATE_LIMITED" }));
    }
    expect(pairings.redeem(code)).toBeDefined();
    expect(() => pairings.create()).not.toThrow();
    await clock.advance(5 * MINUTE_MS);
    for (let more = 0; more < 4; more += 1) pairings.create();
  });
});
