import { markText } from "@holdpoint/protocol";

import type { Words } from "../words/use-words.ts";

/** Texts above these limits are shown as source: laying them out could block the page. */
const MAX_LENGTH = 40_000;
/** Not counting code. */
const MAX_LINES = 500;
const MAX_FENCES = 60;
const MAX_DEPTH = 12;
/** Characters with a meaning in a paragraph, a list or a table. */
const MAX_SIGNS_OF_BLOCK = 400;
const MAX_SIGNS = 2000;
const MAX_CELLS = 800;
const MAX_MARKS = 300;
const MAX_WORD = 2000;

const SIGN = /[*_~[\]`<&\\@:!]|www\./g;
const CONTAINER = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/;
const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,})[^]*)$/;

/** Texts above these limits are laid out when the browser is idle, so that a press never waits for them. */
const HEAVY_LENGTH = 12_000;
const HEAVY_LINES = 150;
const HEAVY_SIGNS = 400;
const HEAVY_CELLS = 200;

interface MarkdownCost {
  /** Why the text is shown as plain text. Absent: it is laid out. */
  readonly plainBecause?: Words;
  /** Laying it out takes a while. */
  readonly isHeavy: boolean;
}

/** The cost of laying out a markdown text. Runs in linear time. */
export function toMarkdownCost(text: string): MarkdownCost {
  if (text.length > MAX_LENGTH) return { plainBecause: "too long", isHeavy: true };
  const marks = markText(text, "exact").filter(({ type }) => type !== "text");
  if (marks.length > MAX_MARKS) {
    return { plainBecause: "too many marks", isHeavy: true };
  }
  const counter = new BlockCounter();
  for (const line of text.split("\n")) {
    const reason = counter.read(line);
    if (reason !== undefined) return { plainBecause: reason, isHeavy: true };
  }
  return { isHeavy: text.length > HEAVY_LENGTH || counter.isHeavy };
}

/** Counts the contents of a block, which ends at an empty line. */
class BlockCounter {
  #signs = 0;
  #signsOfBlock = 0;
  #rows = 0;
  #columns = 0;
  #cells = 0;
  #lines = 0;
  #fences = 0;
  #fence: string | undefined;
  #hasHtml = false;

  get isHeavy(): boolean {
    const cells = this.#cells + this.#rows * this.#columns;
    return this.#lines > HEAVY_LINES || this.#signs > HEAVY_SIGNS || cells > HEAVY_CELLS;
  }

  read(line: string): Words | undefined {
    if (this.#isInFence(line)) return undefined;
    this.#lines += 1;
    if (this.#lines > MAX_LINES || this.#fences > MAX_FENCES) return "too many lines";
    if (line.trim() === "") this.#endBlock();
    if (depthOf(line) > MAX_DEPTH) return "too deeply nested";
    if (longestWord(line) > MAX_WORD) return "very long words";
    const signs = line.match(SIGN)?.length ?? 0;
    this.#signs += signs;
    this.#signsOfBlock += signs;
    this.#countCells(line);
    const isTooMuch =
      this.#signsOfBlock > MAX_SIGNS_OF_BLOCK ||
      this.#signs > MAX_SIGNS ||
      this.#cells + this.#rows * this.#columns > MAX_CELLS;
    return isTooMuch ? "too many symbols" : undefined;
  }

  /** Code has no signs. After HTML, which swallows lines by its own rules, fences are ignored. */
  #isInFence(line: string): boolean {
    const [, ticks, waves] = FENCE.exec(line) ?? [];
    const fence = ticks ?? waves;
    if (this.#fence !== undefined) {
      const isEnd = fence?.startsWith(this.#fence) === true && line.trim() === fence;
      if (isEnd) this.#fence = undefined;
      return true;
    }
    this.#hasHtml ||= /^ {0,3}</.test(line);
    if (fence === undefined || this.#hasHtml) return false;
    this.#fence = fence;
    this.#fences += 1;
    // The opening line counts like any other.
    return false;
  }

  /** Counts the cells of a table: each row has as many as the widest one. */
  #countCells(line: string): void {
    const pipes = line.split("|").length - 1;
    if (pipes === 0 && this.#columns === 0) return;
    this.#rows += 1;
    this.#columns = Math.max(this.#columns, pipes + 1);
  }

  #endBlock(): void {
    this.#signsOfBlock = 0;
    this.#cells += this.#rows * this.#columns;
    this.#rows = 0;
    this.#columns = 0;
  }
}

/** How deeply a line is nested in quotes and lists, by its markers or by its indentation. */
function depthOf(line: string): number {
  const [prefix = ""] = CONTAINER.exec(line) ?? [];
  const markers = prefix.match(/>|[-+*]|\d+/g)?.length ?? 0;
  const indented = /^[ \t]*/.exec(line)?.[0].replaceAll("\t", "    ").length ?? 0;
  return Math.max(markers, Math.floor(indented / 4));
}

function longestWord(line: string): number {
  let longest = 0;
  for (const word of line.split(/\s/)) longest = Math.max(longest, word.length);
  return longest;
}
