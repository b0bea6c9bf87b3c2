/** A part of a text, prepared for display. */
export type TextSegment =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "mark";
      /** The original text. */
      readonly raw: string;
      /** A short label to show instead, such as `U+202E`. */
      readonly label: string;
      /** A readable description. */
      readonly name: string;
      /** Set if it is common in ordinary text, such as a curly quotation mark, and need not stand out. */
      readonly isMild?: true;
    }
  /** Letters of a right-to-left script, to be drawn from left to right in their stored order. */
  | { readonly type: "reversed"; readonly text: string };

/** Collects the segments of a text. The methods for text, marks and reversed letters return the length they added. */
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

  /** Adds text that may still turn out to need a mark. Returns its index for `replace`. */
  addUndecided(text: string): number {
    return this.#segments.push({ type: "text", text }) - 1;
  }

  replace(place: number, segment: TextSegment): void {
    this.#segments[place] = segment;
  }

  /** Returns the segments in order, with adjacent text and adjacent reversed letters joined. */
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
