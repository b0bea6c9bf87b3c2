import { factsOf } from "./character-facts.ts";

/** ASCII characters that look alike in many fonts. */
const ALIKE: Readonly<Record<string, string>> = { "|": "l", I: "l", "1": "l", "0": "O" };

/** One of several that a person chooses from, or fills in. */
interface Titled {
  /** Different for each. */
  readonly name: string;
  readonly title: string;
}

/**
 * A title for each that looks like no other: behind a title that looks like another one its name follows, and a title
 * without a visible letter is its name.
 */
export function toDistinctTitles(entries: readonly Titled[]): string[] {
  const titles = countLooks(entries.map(({ title }) => title));
  const names = countLooks(entries.map(({ name }) => name));
  return entries.map(({ name, title }) => {
    const look = lookOf(title);
    if (look !== "" && titles.get(look) === 1) return title;
    const quoted = quote(name, (names.get(lookOf(name)) ?? 0) > 1);
    return look === "" ? quoted : `${title} (${quoted})`;
  });
}

function countLooks(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const look of texts.map(lookOf)) counts.set(look, (counts.get(look) ?? 0) + 1);
  return counts;
}

/** What can be seen of a text. */
function lookOf(text: string): string {
  const seen = text
    .normalize("NFKC")
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, (sign) => (/\s/u.test(sign) ? " " : ""))
    .replace(/\s+/gu, " ")
    .trim();
  return Array.from(seen, lookOfLetter).join("");
}

function lookOfLetter(letter: string): string {
  const look = factsOf(letter).looksLike ?? letter;
  return ALIKE[look] ?? look;
}

/** `isAlike`: it looks like another name, so each letter that can be taken for another stands there as its code. */
function quote(name: string, isAlike: boolean): string {
  return JSON.stringify(name).replace(/[^\x20-\x7e]|[|I10]/gu, (sign) => {
    const isShown = sign === " " || !(isAlike || HIDES.test(sign));
    return isShown ? sign : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

const HIDES = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
