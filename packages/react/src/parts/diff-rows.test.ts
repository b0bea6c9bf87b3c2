import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { toDiffRows, toLines, type DiffRow } from "./diff-rows.ts";

const textOf = (row: DiffRow) =>
  "pieces" in row ? row.pieces.map((piece) => piece.text).join("") : undefined;

/** One side of the diff, put together again from rows and gaps. */
function rebuild(rows: readonly DiffRow[], after: string, kept: "added" | "removed"): string[] {
  const lines = toLines(after);
  return rows.flatMap((row) => {
    if (row.type === "gap") return lines.slice(row.from - 1, row.from - 1 + row.count);
    return row.type === "same" || row.type === kept ? [textOf(row) ?? ""] : [];
  });
}

const text = fc
  .array(fc.constantFrom("a", "b", "c", "", "  d(e)"), { maxLength: 40 })
  .map((lines) => lines.map((line) => `${line}\n`).join(""));

describe("toDiffRows", () => {
  test("rows and gaps together are both texts, exactly", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { rows } = toDiffRows(before, after);
        fc.pre(before !== after);
        expect(rebuild(rows, after, "added")).toEqual(toLines(after));
        expect(rebuild(rows, after, "removed")).toEqual(toLines(before));
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  test("the same text twice has no rows", () => {
    expect(toDiffRows("a\nb\n", "a\nb\n")).toEqual({ rows: [], added: 0, removed: 0 });
  });

  test("numbers the lines of both sides", () => {
    const { rows, added, removed } = toDiffRows("a\nb\nc\n", "a\nx\nc\nd\n");
    expect({ added, removed }).toEqual({ added: 2, removed: 1 });
    expect(
      rows.map((row) =>
        "oldLine" in row || "newLine" in row ? [row.type, row.oldLine, row.newLine] : row.type,
      ),
    ).toEqual([
      ["same", 1, 1],
      ["removed", 2, undefined],
      ["added", undefined, 2],
      ["same", 3, 3],
      ["added", undefined, 4],
    ]);
  });

  test("marks the words that changed, not lines that were replaced", () => {
    const changed = toDiffRows("const total = a + b\n", "const total = a - b\n").rows;
    expect(
      changed.map((row) => ("pieces" in row ? row.pieces.filter((piece) => piece.changed) : [])),
    ).toEqual([[{ text: "+", changed: true }], [{ text: "-", changed: true }]]);
    const replaced = toDiffRows("alpha beta\n", "something else entirely\n").rows;
    expect(
      replaced.flatMap((row) => ("pieces" in row ? row.pieces : [])).some((piece) => piece.changed),
    ).toBe(false);
  });

  test("says where the final newline is missing", () => {
    expect(toDiffRows("a\n", "a").rows.some((row) => row.type === "note")).toBe(true);
  });

  test("two long texts with nothing in common are shown whole", () => {
    const before = Array.from({ length: 5000 }, (_, line) => `old ${line}\n`).join("");
    const after = Array.from({ length: 5000 }, (_, line) => `new ${line}\n`).join("");
    expect(toDiffRows(before, after)).toMatchObject({ added: 5000, removed: 5000 });
  });
});
