import { expect, test } from "vitest";

import { sayEnglish } from "../testing/say-english.ts";
import { toEndWords } from "./end-words.ts";

const nowMs = Date.parse("2026-01-01T00:00:00.000Z");

test.each([
  [-1, "now"],
  [59, "now"],
  [60, "in 1 minute"],
  [3500, "in 58 minutes"],
  [3600, "in 1 hour"],
  [47.4 * 3600, "in 47 hours"],
  [48 * 3600, "in 2 days"],
  [30 * 86_400 - 1, "in 30 days"],
])("an end in %i s is shown as %s", (seconds, words) => {
  const instant = new Date(nowMs + seconds * 1000).toISOString();
  expect(toEndWords(instant, nowMs, sayEnglish)).toBe(words);
});
