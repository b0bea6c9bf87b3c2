import { describe, expect, test } from "vitest";

import { toMoney, toShortNumber } from "./turn-usage-line.tsx";

describe("the usage of a turn", () => {
  test.each([
    [30, "en", "30"],
    [999, "en", "999"],
    [12_345, "en", "12.3k"],
    [12_345, "de", "12,3k"],
    [999_949, "en", "999.9k"],
    [999_950, "en", "1M"],
    [2_340_000, "en", "2.3M"],
  ])("%i tokens are shown in %s as %s", (amount, locale, said) =>
    expect(toShortNumber(amount, locale)).toBe(said),
  );

  test.each([
    [0.04, "en-US", "$0.04"],
    [12.3, "en-US", "$12.30"],
    [0.0004, "en-US", "< $0.01"],
    [0.04, "de", "0,04\u00A0$"],
  ])("%d dollars are shown in %s as %s", (usd, locale, said) =>
    expect(toMoney(usd, locale)).toBe(said),
  );
});
