import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { markText, toMarkedString } from "./mark-text.ts";

const joined = (text: string) =>
  markText(text)
    .map((segment) => ("text" in segment ? segment.text : segment.raw))
    .join("");

/** A tab is marked for the eye, but misleads no one. */
const hasMark = (text: string) =>
  markText(text).some((segment) => segment.type === "mark" && segment.raw !== "\t");

describe("markText", () => {
  test("loses and invents nothing, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (one, two) => {
        expect(joined(one)).toBe(one);
        expect(joined(`${one}\u202E${two}\u001B[31m`)).toBe(`${one}\u202E${two}\u001B[31m`);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  test("leaves no control, format or bidi character in the shown text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = markText(text)
          .map((segment) => ("text" in segment ? segment.text : segment.label))
          .join("");
        expect(shown.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\p{Cf}(?<!\u200D)/u);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  test.each([
    ["\u202Etxt.exe", "[RLO]txt.exe"],
    ["a\u200Bb", "a[ZWSP]b"],
    ["a\u00ADb", "a[SHY]b"],
    ["rm\u00A0-rf", "rm[NBSP]-rf"],
    ["\u001B[8mhidden\u001B[0m", "[ESC[8m]hidden[ESC[0m]"],
    ["\u001B]0;title\u0007after", "[ESC]0;titleBEL]after"],
    ["safe\rrm -rf /", "safe[CR]rm -rf /"],
    ["\u{E0072}\u{E006D}", "[U+E0072][U+E006D]"],
    ["a\u3164b\u2800c", "a[U+3164]b[U+2800]c"],
    ["\uD800", "[U+D800]"],
    ["a\u2028b", "a[LS]b"],
    ["ls" + " ".repeat(60) + "; rm", "ls[␣×60]; rm"],
    ["ls" + "\n".repeat(40) + "rm", "ls[↵×40]rm"],
    ["ex\u0430mple.org", "ex[\u0430 U+0430]mple.org"],
    ["a\uFE01b\u{E0101}", "a[U+FE01]b[U+E0101]"],
  ])("marks %j", (text, shown) => {
    expect(toMarkedString(text)).toBe(shown);
    expect(hasMark(text)).toBe(true);
  });

  test.each([
    "plain text, with\nlines and  two spaces",
    "    indented by sixteen:\n                here",
    "Ünïcödé, 日本語, العربية, עברית",
    "Приведи файл.txt, ось так",
    "👨‍👩‍👧 ❤️ 👍🏽 1️⃣",
    "\tif x:",
  ])("leaves %j alone", (text) => {
    expect(hasMark(text)).toBe(false);
    expect(joined(text)).toBe(text);
  });
});
