import { expect, test } from "vitest";

import { endOfQuiet, isTimeZone } from "./quiet-hours.ts";

const night = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
const noon = { from: "12:00", to: "13:30", timeZone: "America/New_York" };

test.each([
  [night, "2026-01-10T21:30:00Z", "2026-01-11T06:00:00Z"],
  [night, "2026-01-11T05:59:59Z", "2026-01-11T06:00:00Z"],
  [night, "2026-01-11T06:00:00Z", undefined],
  [night, "2026-01-10T20:59:59Z", undefined],
  // In summer the same hours are others in UTC.
  [night, "2026-07-10T20:30:00Z", "2026-07-11T05:00:00Z"],
  [noon, "2026-01-10T17:15:20Z", "2026-01-10T18:30:00Z"],
  [noon, "2026-01-10T18:30:00Z", undefined],
  [{ ...noon, to: "12:00" }, "2026-01-10T17:00:00Z", undefined],
  [undefined, "2026-01-10T17:00:00Z", undefined],
])("quiet hours %o at %s end at %s", (quiet, now, end) => {
  const endMs = endOfQuiet(quiet, Date.parse(now));
  expect(endMs && new Date(endMs).toISOString().replace(".000", "")).toBe(end);
});

test("the time zones are the ones the runtime knows", () => {
  expect(["Europe/Berlin", "UTC", "Asia/Kolkata"].map(isTimeZone)).toEqual([true, true, true]);
  expect(["", "Mars/Base", "../etc/passwd", "x".repeat(64)].map(isTimeZone)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
