import { markText } from "@holdpoint/protocol";

import type { DiffRow } from "./diff-rows.ts";

/** How much of a diff is drawn at once. */
const PAGE_ROWS = 300;
const PAGE_COST = 16_000;
/** The cost of a mark, in characters. */
const MARK_COST = 30;
/** Longer lines are drawn as several rows. */
const MAX_LINE = 2000;

/** The ends of the first `count` pages of a diff, as row indexes. The last one is the number of rows, if reached. */
export function findPageEnds(rows: readonly DiffRow[], count: number): readonly number[] {
  const ends: number[] = [];
  let end = 0;
  while (ends.length < count && end < rows.length) {
    end = findPageEnd(rows, end);
    ends.push(end);
  }
  return ends;
}

function findPageEnd(rows: readonly DiffRow[], from: number): number {
  let cost = 0;
  let end = from;
  while (end < rows.length && end - from < PAGE_ROWS) {
    cost += costOf(rows[end]);
    if (cost > PAGE_COST && end > from) break;
    end += 1;
  }
  return end;
}

function costOf(row: DiffRow | undefined): number {
  if (row === undefined || !("pieces" in row)) return 1;
  return row.pieces.reduce((sum, { text }) => {
    const segments = markText(text, "exact");
    return sum + text.length + segments.filter(({ type }) => type !== "text").length * MARK_COST;
  }, 0);
}

/** The rows with each long line cut into several; only the first piece has the line number. */
export function cutLongRows(rows: readonly DiffRow[]): readonly DiffRow[] {
  return rows.flatMap((row): readonly DiffRow[] => {
    if (!("pieces" in row)) return [row];
    const [piece] = row.pieces;
    const isShort = row.pieces.length !== 1 || piece === undefined || piece.text.length <= MAX_LINE;
    if (isShort) return [row];
    return cutText(piece.text).map((text, index) => {
      const pieces = [{ text, changed: piece.changed }];
      return index === 0 ? { ...row, pieces } : { type: row.type, pieces, continued: index };
    });
  });
}

function cutText(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  while (from < text.length) {
    let end = Math.min(text.length, from + MAX_LINE);
    if (/[\uD800-\uDBFF]/.test(text[end - 1] ?? "") && end < text.length) end += 1;
    parts.push(text.slice(from, end));
    from = end;
  }
  return parts;
}
