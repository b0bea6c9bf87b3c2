import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { editNotebook } from "./edit-notebook.ts";
import { editText, writeText } from "./edit-text.ts";
import { findFileChange } from "./file-change.ts";

const edit = (oldText: string, newText: string, all?: boolean) => ({
  old_string: oldText,
  new_string: newText,
  ...(all !== undefined && { replace_all: all }),
});

// e2e/claude-shown-changes.test.ts compares this with Claude's own edits.
describe("a text after an edit", () => {
  test.each([
    ["replaces one place", "a b c", edit("b", "x"), "a x c"],
    ["is unknown without the place", "a c", edit("b", "x"), undefined],
    ["is unknown with two places", "b b", edit("b", "x"), undefined],
    ["has all places replaced when requested", "b b", edit("b", "x", true), "x x"],
    ["treats special replacement patterns as text", "a b", edit("b", "$& $1"), "a $& $1"],
    ["keeps carriage returns", "a\r\nb\r\n", edit("a\nb", "a\nc"), "a\r\nc\r\n"],
    ["gets the usual line ending everywhere", "a\r\nb\r\nc\n", edit("b", "x"), "a\r\nx\r\nc\r\n"],
    ["loses the ending of a deleted line", "a\nb\nc\n", edit("b", ""), "a\nc\n"],
    ["loses only deleted lines where there are any", "b\nab c\n", edit("b", "", true), "ab c\n"],
    ["fills a file of blanks", " \n", edit("", "new"), "new"],
    ["keeps the byte order mark", "\ufeff", edit("", "new"), "\ufeffnew"],
    ["makes a new file from nothing", undefined, edit("", "new"), "new"],
    ["does not overwrite a file with nothing to find", "old", edit("", "new"), undefined],
    ["is unknown if the file is missing", undefined, edit("a", "b"), undefined],
    ["is not certain for other quotation marks", "“a”", edit('"a"', '"b"'), undefined],
    ["is not certain for returns in the call", "a\r\nb", edit("a\r\nb", "c"), undefined],
    ["is not certain for half a letter", "a", edit("a", "\ud800"), undefined],
  ])("%s", (_, before, input, after) => {
    expect(editText(before, input)).toBe(after);
  });

  test("has the byte order mark of the text that was overwritten", () => {
    expect(writeText("\ufeffa", { content: "b" })).toBe("\ufeffb");
    expect(writeText("\ufeffa", { content: "\ufeffb" })).toBe("\ufeffb");
    expect(writeText(undefined, { content: "b" })).toBe("b");
  });
});

describe("a notebook after an edit", () => {
  const one = { id: "one", cell_type: "code", source: "1", execution_count: 3, outputs: ["out"] };
  const before = JSON.stringify({ cells: [one], nbformat: 4, nbformat_minor: 4 });
  const cells = (input: object, notebook = before) => {
    const after = editNotebook(notebook, { new_source: "2", ...input });
    return after === undefined ? undefined : (JSON.parse(after) as { cells: unknown[] }).cells;
  };

  test("has new cells without outputs, and drops the outputs of a replaced cell", () => {
    const replaced = { ...one, source: "2", execution_count: null, outputs: [] };
    expect(cells({ cell_id: "one" })).toEqual([replaced]);
    expect(cells({ cell_id: "cell-0" })).toEqual([replaced]);
    expect(cells({ cell_id: "one", cell_type: "markdown" })).toEqual([
      { ...replaced, cell_type: "markdown" },
    ]);
    const { id: _, ...added } = replaced;
    const insert = { edit_mode: "insert", cell_type: "code" };
    expect(cells({ cell_id: "one", ...insert })).toEqual([one, { ...added, metadata: {} }]);
    expect(cells(insert)).toEqual([{ ...added, metadata: {} }, one]);
    expect(cells({ cell_id: "one", edit_mode: "delete" })).toEqual([]);
  });

  test("is not certain without the cell, without a notebook, or if a new cell gets a random id", () => {
    const later = before.replace('"nbformat_minor":4', '"nbformat_minor":5');
    expect(cells({ cell_id: "two" })).toBeUndefined();
    expect(cells({ cell_id: "one" }, "text")).toBeUndefined();
    expect(cells({ edit_mode: "insert", cell_type: "code" }, later)).toBeUndefined();
    expect(cells({ edit_mode: "delete" })).toBeUndefined();
  });
});

describe("the change of a file", () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), "change-")));
  });
  afterEach(() => rm(cwd, { recursive: true }));
  const change = (content: string | Uint8Array) =>
    writeFile(join(cwd, "file"), content).then(() =>
      findFileChange("Write", { file_path: "file", content: "new" }, { cwd }),
    );

  test("has both whole texts, and only the new one for a new file", async () => {
    expect(await change("old")).toEqual({ path: join(cwd, "file"), before: "old", after: "new" });
    const input = { file_path: join(cwd, "other"), content: "new" };
    expect(await findFileChange("Write", input, { cwd })).toEqual({
      path: join(cwd, "other"),
      after: "new",
    });
  });

  test("[R-6] names the file that a link leads to", async () => {
    await mkdir(join(cwd, "real"));
    await symlink(join(cwd, "real"), join(cwd, "linked"));
    const input = { file_path: "linked/new", content: "x" };
    expect(await findFileChange("Write", input, { cwd })).toEqual({
      path: join(cwd, "real", "new"),
      after: "x",
    });
  });

  test.each<[string, string | Uint8Array]>([
    ["has zero bytes", "a\0b"],
    ["is not UTF-8", Uint8Array.of(0xff, 0xfe, 0xfd)],
    ["is larger than 1 MiB", "x".repeat(1024 * 1024 + 1)],
  ])("is not shown for a file that %s", async (_, content) => {
    expect(await change(content)).toBeUndefined();
  });

  test("is not shown for a folder or for another tool", async () => {
    expect(
      await findFileChange("Write", { file_path: cwd, content: "x" }, { cwd }),
    ).toBeUndefined();
    expect(await findFileChange("Bash", { file_path: "x", content: "x" }, { cwd })).toBeUndefined();
  });
});
