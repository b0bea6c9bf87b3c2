/** A stretch of a text, as it is to be shown. */
export type TextSegment =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "mark";
      /** What was there. */
      readonly raw: string;
      /** Short sign to show in its place, such as `U+202E`. */
      readonly label: string;
      /** What it is, for people. */
      readonly name: string;
      /** Common in ordinary text, such as a curly quotation mark: it need not stand out. */
      readonly isMild?: true;
    }
  /** Letters that are written from right to left: to be drawn from left to right, in the order in which they stand. */
  | { readonly type: "reversed"; readonly text: string };

/** Collects the segments of a text. Each method that adds returns the length of what it added. */
export class SegmentList {
  readonly #segments: TextSegment[] = [];

  addText(text: string): number {
    if (text !== "") this.#segments.push({ type: "text", text });
    return text.length;
  }

  addMark(raw: string, label: string, name: string): number {
    this.#segments.push({ type: "mark", raw, label, name });
    return raw.length;
  }

  addMildMark(raw: string, name: string): number {
    this.#segments.push({ type: "mark", raw, label: raw, name, isMild: true });
    return raw.length;
  }

  addReversed(text: string): number {
    this.#segments.push({ type: "reversed", text });
    return text.length;
  }

  /** Adds text of which it is not known yet whether it needs a mark. Returns its place, for `replace`. */
  addUndecided(text: string): number {
    return this.#segments.push({ type: "text", text }) - 1;
  }

  replace(place: number, segment: TextSegment): void {
    this.#segments[place] = segment;
  }

  /** The segments in order, with neighbouring text and neighbouring reversed letters joined. */
  toSegments(): readonly TextSegment[] {
    const joined: TextSegment[] = [];
    for (const segment of this.#segments) {
      const last = joined.at(-1);
      if (last === undefined || segment.type === "mark" || last.type !== segment.type) {
        joined.push(segment);
      } else {
        joined[joined.length - 1] = { type: segment.type, text: last.text + segment.text };
      }
    }
    return joined;
  }
}
