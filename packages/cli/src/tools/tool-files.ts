import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { defineTool, type Tool } from "@holdpoint/engine";

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

/**
 * The default export of a module. Another version loads the file again; what it imports in turn is loaded once, and stays
 * as it was.
 */
export async function importDefault(path: string, version: number): Promise<unknown> {
  const url = pathToFileURL(path);
  if (version > 0) url.search = `?version=${version}`;
  const loaded: unknown = await import(url.href);
  return (loaded as { default?: unknown }).default;
}

/** Throws `TypeError` that names the tool. Plain objects of a tool's shape are tools. */
export function checkTool(value: unknown): Tool {
  return defineTool(value as Parameters<typeof defineTool>[0]);
}

/** Changes whenever the file does; `undefined` once it is gone. */
export async function stampOf(path: string): Promise<string | undefined> {
  return stat(path).then(
    ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
    () => undefined,
  );
}
