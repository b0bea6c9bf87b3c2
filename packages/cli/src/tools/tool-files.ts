import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import { defineTool, type Tool } from "@holdpoint/engine";

import { filesOf, importDefault } from "./own-modules.ts";

const TOOL_FILE = /^[^.].*(?<!\.d|\.test)\.(?:ts|js|mjs)$/;

/** Paths of the tool files in a folder, in the order of their names; none where there is no such folder. */
export async function listToolFiles(folder: string): Promise<string[]> {
  if (!(await isFolder(folder))) return [];
  const names = await readdir(folder);
  return names
    .filter((name) => TOOL_FILE.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

/** What the file exports by default: a tool, or a list of tools. Rejects with whatever is wrong with it. */
export async function importTools(path: string, version: number): Promise<Tool[]> {
  const exported = await importDefault(path, version);
  if (exported === undefined) throw new TypeError("It has no default export.");
  return (Array.isArray(exported) ? exported : [exported]).map(checkTool);
}

/** Throws `TypeError` that names the tool. Plain objects of a tool's shape are tools. */
export function checkTool(value: unknown): Tool {
  return defineTool(value as Parameters<typeof defineTool>[0]);
}

/** Changes whenever the file does, or one that it imports by path. */
export async function stampOf(path: string): Promise<string> {
  const stamps = [...filesOf(path)].map(async (file) => {
    const entry = await stat(file).catch(() => undefined); // gone
    return `${file} ${entry?.mtimeMs} ${entry?.size}`;
  });
  return (await Promise.all(stamps)).join("\n");
}
