import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Clock } from "@holdpoint/engine";
import { SimulatedClock } from "@holdpoint/engine/testing";
import { sayIn } from "@holdpoint/protocol";
import { GERMAN_SAYINGS } from "@holdpoint/protocol/german";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { readConfigFile } from "../config/config-file.ts";
import { serveOwnModules } from "../trust/own-modules.ts";
import { readSnapshot, type Snapshot } from "../trust/snapshot.ts";
import { ToolBox, type ToolChanges } from "./tool-box.ts";

let folder: string;
let problems: [source: string, problem: string][];
let box: ToolBox;
let changes: ToolChanges[];

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
    onChange: (change) => changes.push(change),
  });
}

/** Loads the current files of the folder. */
async function load(clock?: Clock): Promise<boolean> {
  return loadAs((await readSnapshot({ folder }))!, clock);
}

async function loadAs(snapshot: Snapshot, clock?: Clock): Promise<boolean> {
  const bytes = new Map(snapshot.files.map((file) => [file.path, file.bytes]));
  return box.load(snapshot, serveOwnModules({ folder: snapshot.folder, bytes }, clock));
}

beforeEach(async () => {
  problems = [];
  changes = [];
  folder = await mkdtemp(join(tmpdir(), "holdpoint-tools-"));
  await mkdir(join(folder, "tools"));
  box = await openBox();
});
afterEach(() => rm(folder, { recursive: true }));

describe("loading", () => {
  test("the config file's tools come first, then tools of files, each with its source", async () => {
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

  test("without the folder only the config file's tools are loaded", async () => {
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
  ])("%s is reported with its file, and the others work", async (_, program, reason) => {
    await write("tools/a.mjs", program);
    await write("tools/b.mjs", `export default ${text("fine")};`);
    await load();
    expect(names()).toEqual(["fine"]);
    expect(problems).toEqual([["tools/a.mjs", expect.stringMatching(reason) as string]]);
    expect(box.summaries).toContainEqual({ source: "tools/a.mjs", error: problems[0]![1] });
  });

  test("a name claimed by two new files is given to neither, so that their order does not decide what runs", async () => {
    await write("tools/a.mjs", `export default ${text("same", "first")};`);
    await write("tools/b.mjs", `export default [${text("same", "second")}, ${text("other")}];`);
    await load();
    expect(names()).toEqual(["other"]);
    expect(problems).toEqual([
      ["tools/a.mjs", "The tool same also exists in tools/b.mjs: neither is used."],
      ["tools/b.mjs", "The tool same also exists in tools/a.mjs: neither is used."],
    ]);
  });

  test("failures are in the person's language if the text is the gateway's own", async () => {
    await write("tools/a.mjs", `export default ${text("same", "first")};`);
    await write("tools/b.mjs", `export default ${text("same", "second")};`);
    await write("tools/c.mjs", "export const tool = 1;");
    await write("tools/d.mjs", `throw new Error("no disk");`);
    await write("tools/e.mjs", `export default [${text("twice")}, ${text("twice")}];`);
    await load();
    const inGerman = box.failures.map(({ source, error, said }) => [
      source,
      said === undefined ? error : sayIn(said["error"] ?? [], GERMAN_SAYINGS, { tag: "de" }),
    ]);
    expect(inGerman).toEqual([
      ["tools/a.mjs", expect.stringMatching(/^Ein Werkzeug same gibt es auch in tools\/b\.mjs/u)],
      ["tools/b.mjs", expect.stringMatching(/^Ein Werkzeug same gibt es auch in tools\/a\.mjs/u)],
      ["tools/c.mjs", "Sie exportiert nichts als Vorgabe."],
      ["tools/d.mjs", "no disk"],
      ["tools/e.mjs", "Sie hat zwei Werkzeuge twice."],
    ]);
    await write("tools/c.mjs", `export default ${text("fine")};`);
    await load();
    expect(box.failures.map(({ source }) => source)).not.toContain("tools/c.mjs");
  });

  test("the second tool of one name in one file is refused", async () => {
    await write("tools/a.mjs", `export default [${text("same", "first")}, ${text("same")}];`);
    await load();
    expect(descriptions()).toEqual(["Says first."]);
    expect(problems).toEqual([["tools/a.mjs", "It defines the tool same twice."]]);
  });

  test.each(["module", "commonjs", undefined])(
    "a tool is a module by its syntax, in a package of the type %s",
    async (type) => {
      await write("package.json", JSON.stringify({ type }));
      await write("lib.js", `export const word = "Hi"; export const at = import.meta.url;`);
      const use = `import { word } from "../lib.js";\nawait Promise.resolve();\n`;
      await write("tools/a.js", `${use}export default ${text("one")};`);
      await write("tools/b.ts", `${use}const tool: object = ${text("two")};\nexport default tool;`);
      await write("tools/c.cjs", "");
      await write("tools/d.js", `module.exports = ${text("three")};`);
      await load();
      const isModule = type === "module";
      expect(names()).toEqual(isModule ? ["one", "two"] : ["one", "two", "three"]);
      expect(problems).toHaveLength(isModule ? 1 : 0);
    },
  );

  test("a linked file outside of the folder is loaded from its real place", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "holdpoint-elsewhere-"));
    const target = join(elsewhere, "pay.mjs");
    await writeFile(target, `export default ${text("pay", "seen")};`);
    await symlink(target, join(folder, "tools/pay.mjs"));
    const snapshot = (await readSnapshot({ folder }))!;
    expect(snapshot.files.at(-1)).toMatchObject({
      name: "tools/pay.mjs",
      path: await realpath(target),
    });
    await loadAs(snapshot);
    await rm(elsewhere, { recursive: true });
    expect(problems).toEqual([]);
    expect(descriptions()).toEqual(["Says seen."]);
  });

  test("a file that waits forever is named, and the others work", async () => {
    await write("tools/a.mjs", `await new Promise(() => {});\nexport default ${text("one")};`);
    await write("tools/b.mjs", `export default ${text("two")};`);
    // The first timer must be the file's.
    await rm(join(folder, "holdpoint.config.mjs"));
    const clock = new SimulatedClock();
    const loading = load(clock);
    await vi.waitFor(() => expect(clock.timerCount).toBe(1));
    await clock.advance(10_000);
    await loading;
    expect(names()).toEqual(["two"]);
    expect(problems).toEqual([
      ["tools/a.mjs", expect.stringMatching(/within 10 seconds/) as string],
    ]);
  });
});

describe("loading again", () => {
  test("a file keeps its names, and a new file that claims one is reported", async () => {
    await write("tools/pay.mjs", `export default ${text("pay", "asks first")};`);
    await load();
    await write("tools/copy-of-pay.mjs", `export default ${text("pay", "asks nobody")};`);
    expect(await load()).toBe(true);
    expect(descriptions()).toEqual(["Says asks first."]);
    expect(problems).toEqual([
      ["tools/copy-of-pay.mjs", "The tool pay already exists in tools/pay.mjs."],
    ]);
    await write("tools/pay.mjs", `export default ${text("pay", "asks twice")};`);
    await load();
    expect(descriptions()).toEqual(["Says asks twice."]);
    await rm(join(folder, "tools/pay.mjs"));
    await load();
    expect(descriptions()).toEqual(["Says asks nobody."]);
  });

  test("a file that was deleted and created again is loaded with its new content", async () => {
    await write("tools/a.mjs", `export default ${text("one", "old")};`);
    await load();
    await rm(join(folder, "tools/a.mjs"));
    await write("tools/b.mjs", `export default ${text("two")};`);
    await load();
    await write("tools/a.mjs", `export default ${text("one", "new")};`);
    await load();
    expect(descriptions()).toEqual(["Says new.", "Says Hello."]);
  });

  test("reports loaded and removed tools, after the first time", async () => {
    await write("tools/a.mjs", `export default ${text("one")};`);
    await write("tools/b.mjs", `export default ${text("two")};`);
    await load();
    expect(changes).toEqual([]);
    await write("tools/a.mjs", `export default [${text("one", "Good day")}, ${text("three")}];`);
    await rm(join(folder, "tools/b.mjs"));
    await load();
    const source = "tools/a.mjs";
    const loaded = [
      { name: "one", source },
      { name: "three", source },
    ];
    expect(changes).toEqual([{ loaded, gone: ["two"] }]);
    await write("tools/a.mjs", "export default {{");
    await load();
    expect(changes).toHaveLength(1);
  });

  test("does nothing when nothing has changed", async () => {
    await write("tools/a.mjs", `export default ${text("one")};`);
    await load();
    const { tools } = box;
    expect(await load()).toBe(false);
    expect(box.tools).toBe(tools);
  });

  test("picks up changed, new and removed files", async () => {
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

  test("keeps the last good version of a broken file, reports it once, and loads its repair", async () => {
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

  test("loads the config file's tools, and keeps them when it breaks", async () => {
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
