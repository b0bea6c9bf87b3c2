import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";

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

const line = fc.constantFrom("a", "b", "c", "", "  d(e)", "return total;");

/** A text, and the same with some of its lines replaced, taken out or put in. */
const edited = fc
  .tuple(
    fc.array(line, { maxLength: 60 }),
    fc.array(fc.tuple(fc.nat(60), fc.nat(3), fc.array(line, { maxLength: 12 })), { maxLength: 5 }),
  )
  .map(([lines, edits]) => {
    const changed = [...lines];
    for (const [at, removed, added] of edits) changed.splice(at, removed, ...added);
    return [lines.join("\n"), changed.join("\n")] as const;
  });

function lines(count: number, word: string): string {
  return Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join("");
}

afterEach(() => {
  vi.restoreAllMocks();
});

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

  test("[R-10] are the same however long the comparison takes", async ({ annotate }) => {
    const planned = 300;
    let tried = 0;
    fc.assert(
      fc.property(edited, ([before, after]) => {
        const quick = toDiffRows(before, after);
        let now = 0;
        vi.spyOn(Date, "now").mockImplementation(() => (now += 1000));
        const slow = toDiffRows(before, after);
        vi.restoreAllMocks();
        expect(slow).toEqual(quick);
        tried += 1;
      }),
      { seed: 12, numRuns: planned },
    );
    expect(tried).toBe(planned);
    await annotate(
      `${tried} changes, each compared by a clock that stands and by one that runs`,
      "cases",
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

  test("shows where the final newline is missing", () => {
    expect(toDiffRows("a\n", "a").rows.some((row) => row.type === "note")).toBe(true);
  });

  test("two long texts with nothing in common are shown whole", () => {
    const before = lines(5000, "old");
    const after = lines(5000, "new");
    expect(toDiffRows(before, after)).toMatchObject({ added: 5000, removed: 5000 });
    const { rows, added, removed } = toDiffRows(`same\n${before}a`, `same\n${after}b`);
    expect({ added, removed }).toEqual({ added: 5002, removed: 5002 });
    const note = { type: "note", text: "No newline at end of file" };
    expect([rows[5002], rows[10_005]]).toEqual([note, note]);
  });

  test("an insertion into a long text is found, at any length", () => {
    const before = lines(20_000, "old");
    expect(toDiffRows(before, `${before}${lines(10_000, "new")}`)).toMatchObject({
      added: 10_000,
      removed: 0,
    });
  });
});
