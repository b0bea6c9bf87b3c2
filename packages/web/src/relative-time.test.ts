import { ENGLISH, translateTo } from "@holdpoint/react/words";
import { expect, test } from "vitest";

import { toShortAge } from "./relative-time.ts";

const now = Date.parse("2026-03-12T12:00:00.000Z");

test.each([
  ["2026-03-12T11:59:30.000Z", "now"],
  ["2026-03-12T12:05:00.000Z", "now"],
  ["2026-03-12T11:54:00.000Z", "6 m"],
  ["2026-03-12T09:00:00.000Z", "3 h"],
  ["2026-03-10T12:00:00.000Z", "Tue"],
  ["2026-02-01T12:00:00.000Z", "1 Feb"],
])("%s is shown as %s", (instant, shown) => {
  expect(toShortAge(instant, now, translateTo({ ...ENGLISH, locale: "en-GB" }))).toBe(shown);
});
