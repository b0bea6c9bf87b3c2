import { assert, constantFrom, pre, property, string } from "fast-check";
import { expect, test } from "vitest";

import { asTitleCode, toPlainTitle, toTitleParts } from "./title-parts.ts";

const shown = (title: string) =>
  toTitleParts(title).map(({ text, isCode }) => (isCode ? [text] : text));

test.each([
  ["Run `npm test`?", ["Run ", ["npm test"], "?"]],
  ["Run `` echo `date` ``?", ["Run ", ["echo `date`"], "?"]],
  ["a ` b", ["a ` b"]],
  ["a `` b ` c", ["a `` b ` c"]],
  ["`a` and `b`", [["a"], " and ", ["b"]]],
  ["", []],
])("%s in parts", (title, parts) => {
  expect(shown(title)).toEqual(parts);
});

test("a title of only backticks is shown unchanged", () => {
  const title = "`x`".repeat(10_000);
  expect(shown(title)).toEqual([title]);
});

test("a title shows any command as code, and as plain text, letter for letter", () => {
  assert(
    property(string({ unit: constantFrom("`", "a", " ", "$"), minLength: 1 }), (command) => {
      pre(command.trim() === command && (command.match(/`+/gu) ?? []).length < 30);
      const title = `Run ${asTitleCode(command)}?`;
      expect(toPlainTitle(title)).toBe(`Run ${command}?`);
      expect(shown(title)).toEqual(["Run ", [command], "?"]);
    }),
  );
});
