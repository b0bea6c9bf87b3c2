import { markText, type TextSegment, type TextUse } from "@holdpoint/protocol";

/** A part of a text that is drawn at once. */
export interface TextPart {
  readonly text: string;
  readonly segments: readonly TextSegment[];
  /** It begins and ends with whole lines. */
  readonly isWhole: boolean;
}

/** The limits of a part, so that drawing it is fast even on a slow phone. */
export interface PartSize {
  readonly characters: number;
  readonly marks: number;
}

/** The size of each part added by "Show more". */
export const NEXT_PART: PartSize = { characters: 16_000, marks: 300 };

const MAX_LINES = 1000;

/** A text in parts, each computed when it is needed. */
export class TextParts {
  readonly #text: string;
  readonly #use: TextUse;
  readonly #first: PartSize;
  readonly #parts: TextPart[] = [];
  #end = 0;

  constructor(text: string, use: TextUse, first: PartSize) {
    this.#text = text;
    this.#use = use;
    this.#first = first;
  }

  /** The first `count` parts, and the number of characters after them. */
  take(count: number): { readonly parts: readonly TextPart[]; readonly left: number } {
    while (this.#parts.length < count && this.#end < this.#text.length) {
      const size = this.#parts.length === 0 ? this.#first : NEXT_PART;
      const part = readPart(this.#text, { from: this.#end, use: this.#use, size });
      this.#parts.push(part);
      this.#end += part.text.length;
    }
    const parts = this.#parts.slice(0, count);
    const shown = parts.reduce((sum, part) => sum + part.text.length, 0);
    return { parts, left: this.#text.length - shown };
  }
}

interface PartPlace {
  readonly from: number;
  readonly use: TextUse;
  readonly size: PartSize;
}

function readPart(text: string, { from, use, size }: PartPlace): TextPart {
  const end = findCut(text, from, size.characters);
  const all = markText(text.slice(from, end), use);
  const segments = cutSegments(all, size.marks);
  const read = segments.length < all.length ? rawOf(segments) : text.slice(from, end);
  const until = from + read.length;
  const isWhole =
    (from === 0 || text[from - 1] === "\n") && (until === text.length || text[until - 1] === "\n");
  return { text: read, segments, isWhole };
}

/** The end of a part: after a line or a word if there is one nearby, and never inside a character. */
function findCut(text: string, from: number, characters: number): number {
  let end = Math.min(text.length, from + characters);
  let line = from;
  for (let count = 0; count < MAX_LINES; count += 1) {
    const next = text.indexOf("\n", line);
    if (next === -1 || next >= end) break;
    line = next + 1;
    if (count === MAX_LINES - 1) end = line;
  }
  if (end === text.length || end === line) return end;
  const near = from + Math.floor((end - from) * 0.8);
  for (const separator of ["\n", " "]) {
    const place = text.lastIndexOf(separator, end - 1);
    if (place >= near) return place + 1;
  }
  const isInsidePair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? "");
  return isInsidePair && end - 1 > from ? end - 1 : end;
}

/** The first segments, up to the given number of marks; at least one. */
function cutSegments(segments: readonly TextSegment[], marks: number): readonly TextSegment[] {
  let left = marks;
  const cut = segments.findIndex((segment) => {
    if (segment.type === "text") return false;
    left -= 1;
    return left < 0;
  });
  return cut <= 0 ? segments : segments.slice(0, cut);
}

function rawOf(segments: readonly TextSegment[]): string {
  return segments.map((segment) => ("text" in segment ? segment.text : segment.raw)).join("");
}
