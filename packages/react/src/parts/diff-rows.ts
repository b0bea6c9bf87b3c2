import { diffWordsWithSpace } from "diff/lib/diff/word.js";
import { structuredPatch } from "diff/lib/patch/create.js";
import type { StructuredPatchHunk } from "diff/lib/types.js";

/** A stretch of one line. `changed`: it differs from the line's counterpart on the other side. */
interface DiffPiece {
  readonly text: string;
  readonly changed: boolean;
}

export type DiffRow =
  | {
      readonly type: "same" | "added" | "removed";
      readonly oldLine?: number;
      readonly newLine?: number;
      readonly pieces: readonly DiffPiece[];
      /** Set for a further piece of the previous line. */
      readonly continued?: number;
    }
  /** Unchanged lines that are left out, by their 1-based position in the new text. */
  | {
      readonly type: "gap";
      readonly from: number;
      readonly count: number;
      readonly oldFrom: number;
    }
  /** A remark, such as a missing newline at the end. */
  | { readonly type: "note"; readonly text: typeof NO_NEWLINE };

interface DiffSummary {
  readonly rows: readonly DiffRow[];
  readonly added: number;
  readonly removed: number;
}

const CONTEXT_LINES = 3;
const NO_NEWLINE = "No newline at end of file";
/**
 * After this many line comparisons, both texts are shown in full, one after the other: exact, if not clever. Counted
 * instead of timed, so that a change looks the same on every machine and after every reload.
 */
const MAX_COMPARISONS = 150_000;
/** The most pairs of lines that are searched for changed words. */
const MAX_WORD_DIFFS = 200;
const MAX_WORD_EDITS = 60;
const MAX_WORD_DIFF_LENGTH = 600;

/** The rows of a unified diff, in order. All added and removed lines are included; unchanged ones may be gaps. */
export function toDiffRows(before: string, after: string): DiffSummary {
  const hunks = findHunks(before, after) ?? [wholeReplacement(before, after)];
  const rows: DiffRow[] = [];
  let nextOld = 1;
  let nextNew = 1;
  for (const hunk of hunks) {
    // A side with no lines starts at the line before it.
    const oldStart = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart;
    const newStart = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart;
    pushGap(rows, { from: nextNew, oldFrom: nextOld, count: newStart - nextNew });
    for (const row of toHunkRows(hunk.lines, oldStart, newStart)) rows.push(row);
    nextOld = oldStart + hunk.oldLines;
    nextNew = newStart + hunk.newLines;
  }
  const total = countLines(after);
  if (hunks.length > 0) {
    pushGap(rows, { from: nextNew, oldFrom: nextOld, count: total - nextNew + 1 });
  }
  return {
    rows: emphasizeWords(rows),
    added: rows.filter((row) => row.type === "added").length,
    removed: rows.filter((row) => row.type === "removed").length,
  };
}

/** Aborts a comparison from within its callback. */
class TooMuchToCompare extends Error {}

/** The differences with the lines around them; undefined if finding them takes too many comparisons. */
function findHunks(before: string, after: string): readonly StructuredPatchHunk[] | undefined {
  let left = MAX_COMPARISONS;
  const comparator = (one: string, other: string): boolean => {
    if (left === 0) throw new TooMuchToCompare();
    left -= 1;
    return one === other;
  };
  try {
    const options = { context: CONTEXT_LINES, comparator };
    return structuredPatch("a", "b", before, after, undefined, undefined, options).hunks;
  } catch (error) {
    if (error instanceof TooMuchToCompare) return undefined;
    throw error;
  }
}

function pushGap(
  rows: DiffRow[],
  gap: { readonly from: number; readonly oldFrom: number; readonly count: number },
): void {
  if (gap.count > 0) rows.push({ type: "gap", ...gap });
}

/** The lines of a text. A final newline ends the last line and does not start another. */
export function toLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function countLines(text: string): number {
  return toLines(text).length;
}

function wholeReplacement(before: string, after: string) {
  const removed = toLines(before);
  const added = toLines(after);
  return {
    oldStart: removed.length === 0 ? 0 : 1,
    oldLines: removed.length,
    newStart: added.length === 0 ? 0 : 1,
    newLines: added.length,
    lines: [...toSide("-", before, removed), ...toSide("+", after, added)],
  };
}

/** All lines of one side. A missing newline at the end of the text is noted, as in a hunk. */
function toSide(sign: "-" | "+", text: string, lines: readonly string[]): readonly string[] {
  const all = lines.map((line) => sign + line);
  return text === "" || text.endsWith("\n") ? all : [...all, `\\ ${NO_NEWLINE}`];
}

function toHunkRows(lines: readonly string[], oldStart: number, newStart: number): DiffRow[] {
  let oldLine = oldStart;
  let newLine = newStart;
  return lines.map((line): DiffRow => {
    const pieces = [{ text: line.slice(1), changed: false }];
    if (line.startsWith("+")) return { type: "added", newLine: newLine++, pieces };
    if (line.startsWith("-")) return { type: "removed", oldLine: oldLine++, pieces };
    if (line.startsWith("\\")) return { type: "note", text: NO_NEWLINE };
    return { type: "same", oldLine: oldLine++, newLine: newLine++, pieces };
  });
}

/** Marks changed words where a run of removed lines is followed by an equally long run of added ones. */
function emphasizeWords(rows: readonly DiffRow[]): readonly DiffRow[] {
  const result = [...rows];
  let start = 0;
  let left = MAX_WORD_DIFFS;
  while (start < result.length) {
    const removedEnd = endOfRun(result, start, "removed");
    const addedEnd = endOfRun(result, removedEnd, "added");
    const length = removedEnd - start;
    if (length > 0 && length <= left && addedEnd - removedEnd === length) {
      left -= length;
      for (let index = start; index < removedEnd; index += 1) pairUp(result, index, index + length);
    }
    start = Math.max(addedEnd, start + 1);
  }
  return result;
}

function endOfRun(rows: readonly DiffRow[], start: number, type: DiffRow["type"]): number {
  let end = start;
  while (rows[end]?.type === type) end += 1;
  return end;
}

function pairUp(rows: DiffRow[], removedIndex: number, addedIndex: number): void {
  const removed = rows[removedIndex];
  const added = rows[addedIndex];
  if (removed?.type !== "removed" || added?.type !== "added") return;
  const oldText = removed.pieces[0]?.text ?? "";
  const newText = added.pieces[0]?.text ?? "";
  if (oldText.length + newText.length > MAX_WORD_DIFF_LENGTH) return;
  const parts = diffWordsWithSpace(oldText, newText, { maxEditLength: MAX_WORD_EDITS });
  if (parts === undefined) return;
  const kept = parts.filter((part) => !part.added && !part.removed);
  const keptLength = kept.reduce((sum, part) => sum + part.value.trim().length, 0);
  // Lines with little in common are replaced, not edited: marking everything would be useless.
  if (keptLength * 3 < Math.max(oldText.trim().length, newText.trim().length)) return;
  rows[removedIndex] = {
    ...removed,
    pieces: parts.filter((part) => !part.added).map((part) => piece(part.value, part.removed)),
  };
  rows[addedIndex] = {
    ...added,
    pieces: parts.filter((part) => !part.removed).map((part) => piece(part.value, part.added)),
  };
}

function piece(text: string, changed: boolean): DiffPiece {
  return { text, changed };
}
