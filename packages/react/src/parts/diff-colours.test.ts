import { expect, test } from "vitest";

import { colourRows, toTokenLines } from "./diff-colours.ts";
import { toDiffRows } from "./diff-rows.ts";

const TOKENS = [{ text: "const", kind: "keyword" }, { text: " a = 1;\nb();\n" }] as const;

test("tokens are cut into lines", () => {
  expect(toTokenLines(TOKENS)).toEqual([
    [{ text: "const", kind: "keyword" }, { text: " a = 1;" }],
    [{ text: "b();" }],
    [],
  ]);
  expect(toTokenLines(undefined)).toBeUndefined();
});

function colour(before: string, after: string, tokens: Parameters<typeof toTokenLines>[0]) {
  const { rows } = toDiffRows(before, after);
  const coloured = colourRows(rows, { before: undefined, after: toTokenLines(tokens) });
  return rows.map((row) => coloured.get(row));
}

test("[R-6] a row has the colours of its side, and a changed word has the colour of the change", () => {
  expect(colour("const a = 2;\nb();\n", "const a = 1;\nb();\n", TOKENS)).toEqual([
    undefined,
    [
      { text: "const", kind: "keyword", changed: false },
      { text: " a = ", changed: false },
      { text: "1", changed: true },
      { text: ";", changed: false },
    ],
    [{ text: "b();", changed: false }],
  ]);
});

test.each([
  ["that are another text", "const a = 1;\n", [{ text: "rm -rf /;\n", kind: "keyword" }]],
  ["of a line with a mark", "a\u202E = 1;\n", [{ text: "a\u202E = 1;\n", kind: "keyword" }]],
] as const)("[R-6] tokens %s are not drawn", (_, after, tokens) => {
  expect(colour("", after, tokens)).toEqual([undefined]);
});

test("[R-20] a page has a limited number of colours", () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `a${index}\n`);
  const tokens = lines.map((text) => ({ text, kind: "keyword" as const }));
  const drawn = colour("", lines.join(""), tokens).filter((row) => row !== undefined);
  expect(drawn).toHaveLength(1500);
});
