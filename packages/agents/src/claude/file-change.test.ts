import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { applyEdit, findFileChange } from "./file-change.ts";

const edit = (oldText: string, newText: string, all?: boolean) => ({
  old_string: oldText,
  new_string: newText,
  ...(all !== undefined && { replace_all: all }),
});

describe("an edit applied to a text", () => {
  test.each([
    ["replaces one place", "a b c", edit("b", "x"), "a x c"],
    ["does not fit a text without the place", "a c", edit("b", "x"), undefined],
    ["does not fit two places", "b b", edit("b", "x"), undefined],
    ["replaces all places when told so", "b b", edit("b", "x", true), "x x"],
    ["takes special replacement patterns as text", "a b", edit("b", "$& $1"), "a $& $1"],
    ["keeps carriage returns", "a\r\nb\r\n", edit("a\nb", "a\nc"), "a\r\nc\r\n"],
    ["makes a new file from nothing", undefined, edit("", "new"), "new"],
    ["does not overwrite a file with nothing to find", "old", edit("", "new"), undefined],
    ["does not fit a file that is not there", undefined, edit("a", "b"), undefined],
  ])("%s", (_, before, input, after) => {
    expect(applyEdit("Edit", input, before)).toBe(after);
  });

  test("does many one after the other, and none if one does not fit", () => {
    const edits = [edit("a", "b"), edit("b", "c")];
    expect(applyEdit("MultiEdit", { edits }, "a")).toBe("c");
    expect(applyEdit("MultiEdit", { edits: [...edits, edit("zzz", "")] }, "a")).toBeUndefined();
  });

  test("changes, adds and removes cells of a notebook", () => {
    const cells = [{ id: "one", cell_type: "code", source: "1" }];
    const before = JSON.stringify({ cells, nbformat: 4 });
    const sources = (input: object) => {
      const after = applyEdit("NotebookEdit", { new_source: "2", ...input }, before);
      return (JSON.parse(after ?? "{}") as { cells: { source: string }[] }).cells.map(
        ({ source }) => source,
      );
    };
    expect(sources({ cell_id: "one" })).toEqual(["2"]);
    expect(sources({ cell_id: "one", edit_mode: "insert", cell_type: "code" })).toEqual(["1", "2"]);
    expect(sources({ edit_mode: "insert", cell_type: "code" })).toEqual(["2", "1"]);
    expect(sources({ cell_id: "one", edit_mode: "delete" })).toEqual([]);
    expect(applyEdit("NotebookEdit", { cell_id: "two", new_source: "2" }, before)).toBeUndefined();
    expect(applyEdit("NotebookEdit", { cell_id: "one", new_source: "2" }, "text")).toBeUndefined();
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

  test("has both whole texts, and only the new one of a new file", async () => {
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
  ])("is not shown of a file that %s", async (_, content) => {
    expect(await change(content)).toBeUndefined();
  });

  test("is not shown of a folder or of another tool", async () => {
    expect(
      await findFileChange("Write", { file_path: cwd, content: "x" }, { cwd }),
    ).toBeUndefined();
    expect(await findFileChange("Bash", { file_path: "x", content: "x" }, { cwd })).toBeUndefined();
  });
});
