/*
 * A card shows the file after an edit. The real Claude makes each edit, and the result must equal the shown file.
 */
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { callTool, inOrder, say } from "../src/testing/index.ts";
import {
  approvals,
  approve,
  openClaudeScene,
  runTurn,
  type ClaudeScene,
} from "./support/claude-scene.ts";

let scene: ClaudeScene;
beforeAll(async () => {
  scene = await openClaudeScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

interface Row {
  readonly title: string;
  readonly tool: "Edit" | "NotebookEdit" | "Write";
  /** `undefined`: there is no file yet. */
  readonly before: Buffer | string | undefined;
  readonly input: Record<string, unknown>;
  readonly shown: boolean;
  readonly name?: string;
}

const edit = (old_string: string, new_string: string, replace_all = false) => ({
  old_string,
  new_string,
  replace_all,
});
const row = (
  title: string,
  before: Row["before"],
  input: Row["input"],
  { shown = true, tool = "Edit", name }: Partial<Row> = {},
): Row => ({ title, tool, before, input, shown, ...(name !== undefined && { name }) });
const none = { shown: false };
const write = { tool: "Write" } as const;

const code = (more: object = {}) => ({
  cell_type: "code",
  execution_count: 7,
  id: "c1",
  metadata: {},
  outputs: [{ output_type: "stream", name: "stdout", text: ["epoch 1\n"] }],
  source: ["train()"],
  ...more,
});
const text = { cell_type: "markdown", id: "m1", metadata: {}, source: "# Title" };
const book = (cells: readonly object[], minor = 5, indent = 1): string =>
  JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: minor }, null, indent);

const EDITS: readonly Row[] = [
  row("one place", "a\nb\nc\n", edit("b", "x")),
  row("all places", "b\nb b\n", edit("b", "x", true)),
  row("replacement patterns", "a b\n", edit("b", "$& $1 $$")),
  row("a deletion within a line", "a b c\n", edit(" b", "")),
  row("a deletion that takes the line ending", "a\nb\nc\n", edit("b", "")),
  row("a deletion of the last line, which has no ending", "a\nb", edit("b", "")),
  row("a deletion of all, of which some have no ending", "b\nab c\nb\n", edit("b", "", true)),
  row("a deletion that ends with its line ending", "a\nb\nc\n", edit("b\n", "")),
  row("two places", "b b", edit("b", "x"), none),
  row("no place", "a", edit("zzz", "x"), none),
  row("no change", "a b", edit("b", "b"), none),
  row("a new file", undefined, edit("", "new\n")),
  row("an empty file", "", edit("", "new\n")),
  row("a file of blanks", " \n\n", edit("", "new\n")),
  row("a file that is not empty, with nothing to find", "old", edit("", "new"), none),
  row("carriage returns", "a\r\nb\r\nc\r\n", edit("a\nb", "a\nx")),
  row("carriage returns, a deletion", "a\r\nb\r\nc\r\n", edit("b", "")),
  row("carriage returns, all of one line", "a\r\nb\r\n", edit("a\nb\n", "")),
  row("mixed endings, more with returns", "a\r\nb\r\nc\nd\n\r\n", edit("b", "x")),
  row("mixed endings, more without", "a\nb\nc\nd\r\n", edit("b", "x")),
  row("mixed endings, as many of both", "a\r\nb\n", edit("b", "x")),
  row("a long first line, then returns", `${"x".repeat(5000)}\r\nb\r\n`, edit("b", "x"), none),
  row(
    "many mixed endings",
    `${"a\r\n".repeat(2000)}${"a\n".repeat(3000)}b\n`,
    edit("b", "x"),
    none,
  ),
  row("many returns", `${"a\r\n".repeat(4000)}b\r\n`, edit("b", "x")),
  row("returns in the new text", "a\r\nb\r\n", edit("b", "x\r\ny"), none),
  row("returns in the old text", "a\r\nb\r\n", edit("a\r\nb", "x"), none),
  row("a notebook as a text", book([text]), edit("# Title", "# Name"), {
    ...none,
    name: "e.ipynb",
  }),
  row("a return alone", "a\rb\nc\n", edit("c", "x")),
  row("only returns alone", "a\rb\rc", edit("c", "x")),
  row("a byte order mark", "\ufeffa\nb\n", edit("b", "x")),
  row("a byte order mark before the place", "\ufeffa\nb\n", edit("a", "x")),
  row("a byte order mark and carriage returns", "\ufeffa\r\nb\r\n", edit("a\nb", "x\ny")),
  row("a byte order mark alone", "\ufeff", edit("", "new\n")),
  row("UTF-16", Buffer.from("\ufeffa\nb\n", "utf16le"), edit("b", "x"), none),
  row("curly quotes in the file", "say “hi”\n", edit('say "hi"', 'say "ho"'), none),
  row("curly quotes in the call", 'say "hi"\n', edit("say “hi”", "say “ho”"), none),
  row("an escape in the file", 'x = "\\u00e9"\n', edit('x = "é"', 'x = "è"'), none),
  row("trailing blanks in the new text", "a\nb\n", edit("b", "x  \ny\t")),
  row("trailing blanks in a text of Markdown", "a\nb\n", edit("b", "x  \ny"), { name: "t.md" }),
  row("line separators of Unicode", "a\u2028b\nc\n", edit("c", "x\u2029y")),
  row("astral letters", "a 😀 b\n", edit("😀", "🚀")),
  row("a lone surrogate in the new text", "a b\n", edit("b", "\ud800"), none),
];

const WRITES: readonly Row[] = [
  row("a new file", undefined, { content: "a\nb\n" }, write),
  row("over a file", "old\n", { content: "a\nb" }, write),
  row("over carriage returns", "a\r\nb\r\n", { content: "a\nx\n" }, write),
  row("carriage returns over line feeds", "a\nb\n", { content: "a\r\nx\r\n" }, write),
  row("over a byte order mark", "\ufeffa\n", { content: "x\n" }, write),
  row("a byte order mark over another", "\ufeffa\n", { content: "\ufeffx\n" }, write),
  row("a byte order mark in a new file", undefined, { content: "\ufeffx\n" }, write),
  row(
    "over UTF-16",
    Buffer.from("\ufeffa\n", "utf16le"),
    { content: "x\n" },
    { ...write, ...none },
  ),
  row("nothing", "a\n", { content: "" }, write),
  row("trailing blanks", "a\n", { content: "a  \nb\t\n" }, write),
  row("trailing blanks in Markdown", "a\n", { content: "a  \nb\n" }, { ...write, name: "w.md" }),
  row("over a notebook", book([text]), { content: book([]) }, { ...write, name: "w.ipynb" }),
  row("the same text", "a\n", { content: "a\n" }, write),
];

const notebook = { tool: "NotebookEdit" } as const;
const cell = (cell_id: string | undefined, more: object = {}) => ({
  ...(cell_id !== undefined && { cell_id }),
  new_source: "x = 1",
  ...more,
});
const insert = (cell_type?: string) => ({ edit_mode: "insert", ...(cell_type && { cell_type }) });

const NOTEBOOKS: readonly Row[] = [
  row("a cell with outputs", book([code()]), cell("c1"), notebook),
  row("a cell of text", book([text]), cell("m1"), notebook),
  row("a cell by its place", book([code(), text]), cell("cell-1"), notebook),
  row("code made text", book([code()]), cell("c1", { cell_type: "markdown" }), notebook),
  row("text made code", book([text]), cell("m1", { cell_type: "code" }), notebook),
  row(
    "an insertion of code, in a format without ids",
    book([code()], 4),
    cell("c1", insert("code")),
    notebook,
  ),
  row(
    "an insertion of text at the beginning",
    book([text], 4),
    cell(undefined, insert("markdown")),
    notebook,
  ),
  row("an insertion, which gets an id by chance", book([text]), cell("m1", insert("code")), {
    ...notebook,
    ...none,
  }),
  row("a deletion", book([code(), text]), cell("c1", { edit_mode: "delete" }), notebook),
  row("a notebook on one line", book([code()], 5, 0), cell("c1"), notebook),
  row("a notebook that ends with a line feed", `${book([code()])}\n`, cell("c1"), notebook),
  row(
    "a notebook with carriage returns",
    book([code()]).replaceAll("\n", "\r\n"),
    cell("c1"),
    notebook,
  ),
  row("a notebook with a byte order mark", `\ufeff${book([code()])}`, cell("c1"), notebook),
  row(
    "numbers that are written in another way",
    book([code()]).replace("7", "7.0"),
    cell("c1"),
    notebook,
  ),
  row(
    "a number that is not kept",
    book([code({ metadata: { n: 1 } })]).replace('"n": 1', '"n": 12345678901234567890'),
    cell("c1"),
    notebook,
  ),
  row(
    "a cell with the name of another place",
    book([{ ...text, id: "cell-1" }, text]),
    cell("cell-1"),
    notebook,
  ),
  row("a cell without a source", book([code(), { cell_type: "code" }]), cell("c1"), {
    ...notebook,
    ...none,
  }),
  row("no such cell", book([code()]), cell("c2"), { ...notebook, ...none }),
];

const pathKey = (tool: Row["tool"]) => (tool === "NotebookEdit" ? "notebook_path" : "file_path");

describe("[R-6] Claude makes exactly the change that the card shows", () => {
  test.each([
    ["Edit", EDITS],
    ["Write", WRITES],
    ["NotebookEdit", NOTEBOOKS],
  ])("%s", async (name, rows) => {
    const folder = join(scene.folder, name);
    await mkdir(folder);
    const paths = rows.map(({ name: own, tool }, at) =>
      join(folder, own ?? `${at}.${tool === "NotebookEdit" ? "ipynb" : "txt"}`),
    );
    await Promise.all(
      rows.map(async ({ before }, at) => {
        if (before !== undefined) await writeFile(paths[at]!, before);
      }),
    );
    const there = paths.filter((_path, at) => rows[at]!.before !== undefined);
    scene.model.play(
      inOrder([
        there.map((path) => callTool("Read", { file_path: path })),
        ...rows.map(({ tool, input }, at) => [
          callTool(tool, { [pathKey(tool)]: paths[at], ...input }),
        ]),
        [say("Done.")],
      ]),
    );
    const { turn } = await runTurn(await scene.openSession(), "go", () => approve());
    const seen = await Promise.all(
      rows.map(async ({ title, tool }, at) => {
        const asked = approvals(turn).find(({ input }) => input[pathKey(tool)] === paths[at]);
        const { change } = asked ?? {};
        const file = await readFile(paths[at]!, "utf8");
        return change ? { title, after: change.after, file } : { title };
      }),
    );
    expect(seen).toEqual(
      seen.map(({ title, file }, at) =>
        rows[at]!.shown ? { title, after: file, file } : { title },
      ),
    );
  });

  test("through a linked folder", async () => {
    await mkdir(join(scene.folder, "real"));
    await symlink(join(scene.folder, "real"), join(scene.folder, "linked"));
    const real = join(scene.folder, "real", "file.txt");
    await writeFile(real, "a\nb\n");
    const path = join(scene.folder, "linked", "file.txt");
    scene.model.play(
      inOrder([
        [callTool("Read", { file_path: path })],
        [callTool("Edit", { file_path: path, ...edit("b", "") })],
        [say("Done.")],
      ]),
    );
    const { turn } = await runTurn(await scene.openSession(), "go", () => approve());
    expect(approvals(turn).map(({ change }) => change)).toEqual([
      { path: real, before: "a\nb\n", after: "a\n" },
    ]);
    expect(await readFile(real, "utf8")).toBe("a\n");
  });
});

test.each([
  ["of which the edit still fits", "a\nb\nmore\n"],
  ["which was removed", undefined],
])("[R-6] a file that changed while the card was open, %s, is not edited", async (_, content) => {
  const path = join(scene.folder, `changed-${String(content?.length)}.txt`);
  await writeFile(path, "a\nb\n");
  scene.model.play(
    inOrder([
      [callTool("Read", { file_path: path })],
      [callTool("Edit", { file_path: path, ...edit("b", "x") })],
      [say("Done.")],
    ]),
  );
  await runTurn(await scene.openSession(), "go", async () => {
    await (content === undefined ? rm(path) : writeFile(path, content));
    return approve();
  });
  expect(await readFile(path, "utf8").catch(() => undefined)).toBe(content);
  expect(scene.model.requests.at(-1)!.allResults.at(-1)).toMatchObject({
    isError: true,
    text: expect.stringContaining("has changed since the edit was shown") as string,
  });
});
