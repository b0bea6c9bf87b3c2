/** Clauses as nouns, and other phrases that make a reader start a sentence again. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  "“what …” as a noun":
    /(?<![?.!:]\s)(?<!^)\b(?:of|in|from|for|to|with|by|than|as|and|but|is|are|gets?|takes?|says?|shows?|holds?|has|have|keeps?|sees?|counts?|finds?|reads?|leaves?|means?|ends?|stays?|covers?|sends?|writes?|knows?|that|on|at|,)\s+what\s+(?!to\b|kind\b|happens\b|it means\b)/giu,
  "“what …” as a subject":
    /(?:^|[.:;]\s+)what\s+(?:is|was|are|were|has|had|waits|runs|came|comes|stands|holds|may|can|a|an|the|it|they|nobody|people|someone|somebody)\b[^?]{0,90}?[.;:]/giu,
  "“is told”, “hears of”, “says so”":
    /\b(?:is|are|was|were|be|being)\s+told\b|\bhears? (?:of|that)\b|\bsays? so\b/giu,
  "“that of”, “those who”": /\b(?:that|those) of\b|\bthose (?:that|who)\b/giu,
  "“somebody”, “nobody”": /\b(?:some|no|every|any)body\b/giu,
  "“beside”, “anew”, “meanwhile”": /\bbeside\b|\banew\b|\bmeanwhile\b/giu,
  "“who …” as a noun":
    /\bwhoever\b|\bwhom\b|(?:^|[.;:]\s+)who (?:has|is|may|can|was|asks?|answers?|gives?|had)\b/giu,
  "“not any more”":
    /\b(?:not|no|never|nobody|none|nothing)\b[^.]{0,40}\bany ?more\b|\bno more\b|\bmore no\b/giu,
  "“by itself”": /\bby (?:itself|themselves)\b/giu,
  "“of its own”": /\bof (?:its|their|his|your|our) own\b/giu,
  "“goes on”": /\b(?:goes?|went|going|gone) on\b/giu,
  "“until then”, “by now”, “as before”": /\buntil then\b|\bby now\b|\bas before\b/giu,
  "“it is known”": /\bit is (?:known|said|seen|told)\b/giu,
  "“so many that”": /\bso (?:many|long|much|few) (?:that|as)?\b/giu,
  "“where there is none”":
    /\bwhere (?:that|it|there|one) (?:is|are|can|cannot|may|has) (?:no|not|none|be|one)\b/giu,
};

/** A part of a text that is read as one, such as a paragraph or a comment. */
export interface Passage {
  readonly path: string;
  /** Its first line, from 1. */
  readonly line: number;
  readonly text: string;
}

export interface Mark {
  readonly passage: Passage;
  /** The phrase that was found. */
  readonly phrase: string;
  /** The name of its pattern. */
  readonly pattern: string;
}

export function countWords(passages: readonly Passage[]): number {
  return passages.reduce(
    (sum, { text }) => sum + (text.match(/\p{L}[\p{L}'’-]*/gu) ?? []).length,
    0,
  );
}

/** Returns every phrase of the dialect in the passages. */
export function findMarks(passages: readonly Passage[]): Mark[] {
  return passages.flatMap((passage) =>
    Object.entries(PATTERNS).flatMap(([pattern, expression]) =>
      [...passage.text.matchAll(expression)].map(([phrase]) => ({ passage, phrase, pattern })),
    ),
  );
}
