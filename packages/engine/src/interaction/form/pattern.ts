import { RE2JS } from "re2js";

/** The most steps that matching may take for each character, with any pattern. */
export const MAX_PATTERN_STEPS = 2000;

export interface Pattern {
  /** Matches anywhere in the text, as in JSON Schema. Takes time linear in the length of the text. */
  matches(text: string): boolean;
}

/**
 * Compiles a pattern in RE2 syntax, which has no look-around and no back-references. `undefined` for an invalid pattern
 * or one that takes too many steps.
 */
export function compilePattern(source: string): Pattern | undefined {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    if (compiled.programSize() > MAX_PATTERN_STEPS) return undefined;
    return { matches: (text) => compiled.test(text) };
  } catch {
    // The engine does not accept the pattern, for any reason.
    return undefined;
  }
}
