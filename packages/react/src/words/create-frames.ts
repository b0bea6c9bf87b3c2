import type { Frames } from "./translate.ts";

/** Longer texts are not the gateway's own, and would take long to compare. */
const MOST_CHARACTERS = 2000;

/**
 * Recognizes texts that contain values by their English pattern, and translates them. A `{given}` value is such a text
 * itself.
 */
export function createFrames(texts: Readonly<Record<string, string>>): Frames {
  const frames = Object.entries(texts).map(
    ([english, translated]) => [toPattern(english), translated] as const,
  );
  return (text, toGiven) => {
    if (text.length > MOST_CHARACTERS) return undefined;
    for (const [pattern, translated] of frames) {
      const values = pattern.exec(text)?.groups;
      if (values === undefined) continue;
      return translated.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
        const value = values[name] ?? "";
        return name === "given" ? toGiven(value) : value;
      });
    }
    return undefined;
  };
}

function toPattern(english: string): RegExp {
  const pattern = english
    .replaceAll(/[.?()]/gu, String.raw`\$&`)
    .replaceAll(/\{(\w+)\}/gu, "(?<$1>.+?)");
  return new RegExp(`^${pattern}$`, "su");
}
