import { describe, expect, test } from "vitest";

import { withDistinctLabels } from "./distinct-labels.ts";
import { fieldChoices } from "./form-field.ts";

const titles = (...labels: string[]) => {
  const options = labels.map((label, at) => ({ id: `q1o${at + 1}`, label }));
  const question = { id: "q1", header: "", question: "Which?", multiSelect: false, options };
  return withDistinctLabels([question])[0]?.options.map(({ label }) => label);
};

describe("[R-11] options of a question are made distinguishable", () => {
  test.each([
    ["equal labels", ["Yes", "Yes"], ['Yes ("q1o1")', 'Yes ("q1o2")']],
    ["a blank at the end", ["Yes", "Yes "], ['Yes ("Yes")', 'Yes  ("Yes ")']],
    [
      "a letter without a width",
      ["Yes", "Y\u200bes"],
      ['Yes ("Yes")', 'Y\u200bes ("Y\\u{200b}es")'],
    ],
    ["a Cyrillic letter", ["Stop", "Stоp"], ['Stop ("Stop")', 'Stоp ("St\\u{43e}p")']],
    ["letters of ASCII", ["Il", "ll"], ['Il ("\\u{49}l")', 'll ("ll")']],
    ["a quotation mark", ['"a"', "ʺaʺ"], ['"a" ("\\"a\\"")', 'ʺaʺ ("\\u{2ba}a\\u{2ba}")']],
    ["a label without a visible letter", ["\u200b", "No"], ['"\\u{200b}"', "No"]],
  ])("%s", (_, labels, expected) => {
    expect(titles(...labels)).toEqual(expected);
  });

  test("and stay unchanged when they already look different", () => {
    expect(titles("Tea", "Coffee", "tea")).toEqual(["Tea", "Coffee", "tea"]);
  });
});

test.each([
  ["a Greek letter", "prod", "prοd"],
  ["a letter of another alphabet", "ssh", "ѕѕh"],
  ["a digit", "p1", "pl"],
  ["a full stop", "a.b", "a｡b"],
])("[R-11] choices of one form with %s are made distinguishable", (_, one, other) => {
  const shown = fieldChoices({ type: "string", enum: [one, other] }).map(({ title }) => title);
  const behind = shown.map((title) => /"(.*)"\)$/u.exec(title)?.[1]);
  expect(behind).toEqual([expect.any(String), expect.any(String)]);
  expect(behind.join("")).toMatch(/^[\x20-\x7e]+$/u);
  expect(behind[0]).not.toBe(behind[1]);
});
