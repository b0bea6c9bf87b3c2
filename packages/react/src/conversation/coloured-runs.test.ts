import { expect, test } from "vitest";

import { toColouredRuns } from "./coloured-runs.ts";

test.each([
  ["\u001B[31mFAIL\u001B[0m a.ts", ["red:FAIL", ": a.ts"]],
  ["\u001B[1;32mok\u001B[m", ["green bold:ok"]],
  ["\u001B[38;5;1mx\u001B[39m\u001B[38;2;1;2;3my", ["red:x", ":y"]],
  ["\u001B[96;4mx\u001B[24my", ["cyan underline:x", "cyan:y"]],
  ["\u001B[2mx\u001B[22my", ["dim:x", ":y"]],
  // Colours never make text hard to read.
  ["\u001B[30;40mx\u001B[8my\u001B[7mz", [":x", ":y", ":z"]],
  // Sequences that move the cursor or erase stay, with their marks.
  ["a\u001B[2Kb\u001B[1A", [":a\u001B[2Kb\u001B[1A"]],
])("%j is shown as %j", (text, runs) => {
  const shown = toColouredRuns(text).map(({ text, looks }) => `${looks.join(" ")}:${text}`);
  expect(shown).toEqual(runs);
});

test("only the colour codes are removed, and a text with too many codes keeps them", () => {
  const text = "\u001B[31mred\u001B[0m\n".repeat(500);
  const joined = toColouredRuns(text).map((run) => run.text);
  expect(joined.join("")).toBe("red\n".repeat(500));
  const many = "\u001B[31mx".repeat(5000);
  expect(toColouredRuns(many)).toEqual([{ text: many, looks: [] }]);
});
