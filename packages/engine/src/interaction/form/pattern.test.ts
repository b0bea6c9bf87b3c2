import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";

import { compilePattern, MAX_PATTERN_STEPS } from "./pattern.ts";

afterEach(() => vi.restoreAllMocks());

describe("a pattern", () => {
  test.each([
    ["^[A-Z]{2}\\d+$", "AB12", true],
    ["^[A-Z]{2}\\d+$", "xAB12", false],
    ["b", "abc", true],
    ["^👍{2}$", "👍👍", true],
    ["^\\u0041$", "A", true],
    ["^(?<year>\\d{4})$", "2026", true],
    ["^\\p{L}+$", "é", true],
    ["^a$", "a\n", false],
    ["", "", true],
  ])("%j against %j", (source, text, isMatch) => {
    expect(compilePattern(source)?.matches(text)).toBe(isMatch);
  });

  test.each(["(", "(?=a)b", "(?<!a)b", "(a)\\1", "a{1001}", "[", "(a{100}){100}", "\\p{Nope}"])(
    "%j is refused",
    (source) => expect(compilePattern(source)).toBeUndefined(),
  );

  test("compiles or is refused, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (source) => {
        const pattern = compilePattern(source);
        expect(typeof (pattern?.matches("some text") ?? false)).toBe("boolean");
      }),
    );
  });
});

describe("a catastrophic pattern", () => {
  const catastrophes = ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*a){12}$", "^(([a-z])+.)+[A-Z]$"];

  /** The number of times the engine reads a character of the text. */
  function countReads(source: string, text: string): number {
    const pattern = compilePattern(source);
    let reads = 0;
    for (const method of ["codePointAt", "charCodeAt"] as const) {
      const read: (this: string, place: number) => number | undefined = String.prototype[method];
      vi.spyOn(String.prototype, method).mockImplementation(function (this: string, place) {
        if (this.length === text.length) reads += 1;
        return read.call(this, place);
      });
    }
    expect(pattern?.matches(text)).toBe(false);
    vi.restoreAllMocks();
    return reads;
  }

  // By backtracking, each of them would take more steps than there are atoms.
  test.each(catastrophes)("%s reads each character a bounded number of times", (source) => {
    const length = 4000;
    const reads = countReads(source, `${"a".repeat(length)}!`);
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThan(length * 4);
  });

  test("is refused if it would take many steps for each character", () => {
    expect(compilePattern("(.{0,90}a){10}")).toBeDefined();
    expect(compilePattern("[a-z]{900}".repeat(3))).toBeUndefined();
    expect(MAX_PATTERN_STEPS).toBeLessThanOrEqual(2000);
  });
});
