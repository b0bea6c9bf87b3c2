import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { applyEdit, runFileTool } from "./file-tool.ts";
import { scratchFolderOf } from "./scratch-folder.ts";

let root = "";
let folder = "";
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "file-tool-")));
  folder = join(root, "scratch");
  await mkdir(folder);
  await writeFile(join(root, "outside.md"), "untouched");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = (path: unknown, content: unknown = "new") =>
  runFileTool({ toolName: "WriteFile", input: { path, content } }, { folder });

describe("the file tools", () => {
  test("write inside their folder, by absolute or relative path", async () => {
    expect(await write("a.md")).toMatchObject({ ok: true });
    expect(await write(join(folder, "b.md"))).toMatchObject({ ok: true });
    expect(await readFile(join(folder, "a.md"), "utf8")).toBe("new");
    expect(await readFile(join(folder, "b.md"), "utf8")).toBe("new");
  });

  test.each(["../outside.md", "x/../../outside.md", "/etc/hosts", "..", ".", "", "missing/a.md"])(
    "refuse the path %j",
    async (path) => {
      expect(await write(path)).toMatchObject({ ok: false });
      expect(await readFile(join(root, "outside.md"), "utf8")).toBe("untouched");
    },
  );

  test("refuse a link out of their folder, to a file or to a folder", async () => {
    await symlink(join(root, "outside.md"), join(folder, "link.md"));
    await symlink(root, join(folder, "up"));
    expect(await write("link.md")).toMatchObject({ ok: false });
    expect(await write("up/outside.md")).toMatchObject({ ok: false });
    expect(await readFile(join(root, "outside.md"), "utf8")).toBe("untouched");
  });

  test.each([[7], [undefined], [null]])("refuse the content %j", async (content) => {
    const call = { toolName: "WriteFile" as const, input: { path: "a.md", content } };
    expect(await runFileTool(call, { folder })).toMatchObject({ ok: false });
  });
});

test.each([
  ["a b", "b", { after: "a c" }],
  ["a", "b", { problem: expect.stringContaining("was not found") }],
  ["b b", "b", { problem: expect.stringContaining("more than once") }],
  ["b", "", { problem: expect.any(String) }],
  [undefined, "b", { problem: expect.any(String) }],
])("in %j the text %j is replaced only if it occurs once", (before, find, expected) => {
  expect(applyEdit(before, { toolName: "EditFile", find, replace: "c" })).toEqual(expected);
});

test("a replacement with a dollar sign is inserted literally", () => {
  expect(applyEdit("a b", { toolName: "EditFile", find: "b", replace: "$&$1" })).toEqual({
    after: "a $&$1",
  });
});

test.each(["../x", "", "a/b", "..", "a b"])("the session id %j names no folder", (sessionId) => {
  expect(() => scratchFolderOf("/root", sessionId)).toThrow("cannot name a folder");
});
