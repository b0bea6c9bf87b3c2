import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { readConfigFile } from "../config-file.ts";
import { serveOwnModules } from "../trust/own-modules.ts";
import { readSnapshot } from "../trust/snapshot.ts";
import { ToolBox } from "./tool-box.ts";

let folder: string;
let problems: [source: string, problem: string][];
let box: ToolBox;

const text = (name: string, answer = "Hello") =>
  `{ name: "${name}", description: "Says ${answer}.", handler: () => "${answer}" }`;
const write = (name: string, program: string) => writeFile(join(folder, name), program);
const names = () => box.tools.map(({ name }) => name);
const descriptions = () => box.tools.map(({ description }) => description);

async function openBox(config = "export default {};"): Promise<ToolBox> {
  await write("holdpoint.config.mjs", config);
  return new ToolBox({
    importConfigTools: async (file, importOwn) =>
      (await readConfigFile(file, importOwn, { kind: "person" })).tools ?? [],
    onProblem: (...problem) => problems.push(problem),
  });
}

/** Loads what lies in the folder now. */
async function load(): Promise<boolean> {
  const snapshot = (await readSnapshot({ folder }))!;
  const bytes = new Map(snapshot.files.map((file) => [file.path, file.bytes]));
  return box.load(snapshot, serveOwnModules({ folder: snapshot.folder, bytes }));
}

beforeEach(async () => {
  problems = [];
  folder = await mkdtemp(join(tmpdir(), "holdpoint-tools-"));
  await mkdir(join(folder, "tools"));
  box = await openBox();
});
afterEach(() => rm(folder, { recursive: true }));

describe("loading", () => {
  test("the config file's tools come first, then those of the files, each with its source", async () => {
    box = await openBox(`export default { tools: [${text("configured")}] };`);
    await write("tools/b.mjs", `export default [${text("two")}, ${text("three")}];`);
    await write("tools/a.ts", `const tool: object = ${text("one")};\nexport default tool;`);
    await write("tools/notes.md", "No tool.");
    await write("tools/types.d.ts", "export default broken");
    await write("tools/a.test.ts", "throw new Error('not loaded');");
    expect(await load()).toBe(true);
    expect(names()).toEqual(["configured", "one", "two", "three"]);
    expect(box.summaries.map(({ name, source }) => [name, source])).toEqual([
      ["configured", "holdpoint.config.mjs"],
      ["one", "tools/a.ts"],
      ["two", "tools/b.mjs"],
      ["three", "tools/b.mjs"],
    ]);
    expect(problems).toEqual([]);
  });

  test("without the folder there are the config file's tools", async () => {
    await rm(join(folder, "tools"), { recursive: true });
    await load();
    expect(box.tools).toEqual([]);
  });

  test.each([
    ["a syntax error", "export default {", /Unexpected|Parse|expected/i],
    ["an exception", `throw new Error("no disk\\nsecond line");`, /^no disk$/],
    ["nothing exported", "export const tool = 1;", /no default export/],
    ["something else", "export default 5;", /not an object/],
    ["a bad name", `export default ${text("no spaces")};`, /no spaces/],
    ["an import that is not there", `import "nothing-like-this";`, /nothing-like-this/],
  ])("%s is named with its file, and the others work", async (_, program, reason) => {
    await write("tools/a.mjs", program);
    await write("tools/b.mjs", `export default ${text("fine")};`);
    await load();
    expect(names()).toEqual(["fine"]);
    expect(problems).toEqual([["tools/a.mjs", expect.stringMatching(reason) as string]]);
    expect(box.summaries).toContainEqual({ source: "tools/a.mjs", error: problems[0]![1] });
  });

  test("the second tool of one name is refused, whichever file it is in", async () => {
    await write("tools/a.mjs", `export default ${text("same", "first")};`);
    await write("tools/b.mjs", `export default [${text("same", "second")}, ${text("other")}];`);
    await load();
    expect(descriptions()).toEqual(["Says first.", "Says Hello."]);
    expect(problems).toEqual([["tools/b.mjs", "There is a tool same in tools/a.mjs already."]]);
  });
});

describe("loading again", () => {
  test("does nothing when nothing has changed", async () => {
    await write("tools/a.mjs", `export default ${text("one")};`);
    await load();
    const { tools } = box;
    expect(await load()).toBe(false);
    expect(box.tools).toBe(tools);
  });

  test("takes what has changed, what is new and what is gone", async () => {
    await write("tools/a.mjs", `export default ${text("one")};`);
    await write("tools/b.mjs", `export default ${text("two")};`);
    await load();
    await write("tools/a.mjs", `export default ${text("one", "Good day")};`);
    await write("tools/c.mjs", `export default ${text("three")};`);
    await rm(join(folder, "tools/b.mjs"));
    expect(await load()).toBe(true);
    expect(names()).toEqual(["one", "three"]);
    expect(descriptions()[0]).toBe("Says Good day.");
  });

  test("keeps the last good version of a file that breaks, says so once, and takes its repair", async () => {
    await write("tools/a.mjs", `export default ${text("one")};`);
    await load();
    await write("tools/a.mjs", "export default {{");
    expect(await load()).toBe(true);
    expect(names()).toEqual(["one"]);
    await write("tools/b.mjs", `export default ${text("two")};`);
    await load();
    expect(problems).toHaveLength(1);
    expect(box.summaries.map(({ source, name }) => [source, name])).toEqual([
      ["tools/a.mjs", "one"],
      ["tools/a.mjs", undefined],
      ["tools/b.mjs", "two"],
    ]);
    await write("tools/a.mjs", `export default ${text("one", "Repaired")};`);
    await load();
    expect(descriptions()[0]).toBe("Says Repaired.");
    expect(box.summaries.every(({ error }) => error === undefined)).toBe(true);
  });

  test("takes the config file's tools, and keeps them when it breaks", async () => {
    box = await openBox(`export default { tools: [${text("configured")}] };`);
    await load();
    await write("holdpoint.config.mjs", `export default { tools: [${text("again")}] };`);
    await load();
    expect(names()).toEqual(["again"]);
    await write("holdpoint.config.mjs", `export default { prot: 1 };`);
    await load();
    expect(names()).toEqual(["again"]);
    expect(problems[0]?.[1]).toContain("prot");
  });
});
