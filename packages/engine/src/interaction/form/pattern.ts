import { RE2JS } from "re2js";

/** Matching takes at most this many steps for each character, however the pattern is written. */
export const MAX_PATTERN_STEPS = 2000;

export interface Pattern {
  /** Found anywhere in the text, as in JSON Schema. Linear in the length of the text. */
  matches(text: string): boolean;
}

/** A pattern in RE2 syntax, which has no look-around and no back-references; undefined for one that it cannot be. */
export function compilePattern(source: string): Pattern | undefined {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    if (compiled.programSize() > MAX_PATTERN_STEPS) return undefined;
    return { matches: (text) => compiled.test(text) };
  } catch {
    // Whatever the engine says of it, the pattern is not one that it takes.
    return undefined;
  }
}
