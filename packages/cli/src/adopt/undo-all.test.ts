import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeEach, expect, onTestFinished, test } from "vitest";

import { hookPath } from "../terminals/terminal-paths.ts";
import { carryOut, type Place, planAgent, undoAll } from "./adopt-agents.ts";

const BEFORE = '{\n\t"theme" : "dark"}';

let place: Place;
let claude: string;
let codex: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "undo-all-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const project = join(folder, "project");
  await mkdir(project);
  const env = { ...process.env, CLAUDE_CONFIG_DIR: folder, CODEX_HOME: folder };
  place = { dataDir: join(folder, "data"), env };
  claude = join(folder, "settings.json");
  codex = join(folder, "hooks.json");
  await writeFile(claude, BEFORE);
  for (const kind of ["claude", "codex"] as const) {
    await carryOut(place.dataDir, await planAgent(kind, place));
  }
});

const read = (path: string): Promise<string> => readFile(path, "utf8");

test("an unreadable file is left as it is, and all others are restored", async () => {
  const edited = `// mine\n${await read(claude)}`;
  await writeFile(claude, edited);
  const first = await undoAll(place);
  expect(first).toEqual([
    [claude, "unreadable"],
    [codex, "removed"],
  ]);
  expect(await read(claude)).toBe(edited);
  await expect(read(codex)).rejects.toThrow("ENOENT");
  // Entries that remain in that file must not fail at each call.
  await access(hookPath(place.dataDir));
  await writeFile(claude, edited.replace("// mine\n", ""));
  expect(await undoAll(place)).toEqual([[claude, "restored"]]);
  expect(await read(claude)).toBe(BEFORE);
  await expect(access(hookPath(place.dataDir))).rejects.toThrow("ENOENT");
});

test("only the named agent is removed", async () => {
  const adopted = await read(claude);
  expect(await undoAll(place, ({ kind }) => kind === "codex")).toEqual([[codex, "removed"]]);
  expect(await read(claude)).toBe(adopted);
  await access(hookPath(place.dataDir));
});

test.each([
  [
    "an own hook, a rule and another order",
    (hooks: object) => ({ hooks, permissions: { allow: ["Bash(ls)"] } }),
  ],
  [
    "other timeouts of the hooks",
    (hooks: object) => ({
      hooks: JSON.parse(JSON.stringify(hooks).replaceAll('"timeout":5', '"timeout":9')) as object,
    }),
  ],
])("only the hooks of a file with %s are removed", async (_, edit) => {
  const { hooks } = JSON.parse(await read(claude)) as { hooks: Record<string, unknown[]> };
  const own = { matcher: "Bash", hooks: [{ type: "command", command: "say done" }] };
  const after = edit({ ...hooks, PreToolUse: [own, ...hooks["PreToolUse"]!] });
  await writeFile(claude, JSON.stringify({ ...after, mine: [1, 2] }));
  expect(await undoAll(place, ({ kind }) => kind === "claude")).toEqual([[claude, "changed"]]);
  const left = JSON.parse(await read(claude)) as object;
  expect(left).toEqual({ ...after, hooks: { PreToolUse: [own] }, mine: [1, 2] });
});
