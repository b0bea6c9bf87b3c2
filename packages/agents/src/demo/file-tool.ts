import { lstat, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

import type { FileEdit } from "./step.ts";

/** One call of the demo agent's two tools. */
export interface FileToolCall {
  readonly toolName: FileEdit["toolName"];
  readonly input: Record<string, unknown>;
}

/** The message tells what was done, or why nothing was. */
export interface FileToolResult {
  readonly ok: boolean;
  readonly message: string;
}

/** The call in the tool's input format. */
export function toFileToolCall(path: string, edit: FileEdit): FileToolCall {
  const { toolName, ...rest } = edit;
  return { toolName, input: { path, ...rest } };
}

/** The file's content after the edit, or why the edit is impossible. */
export function applyEdit(
  before: string | undefined,
  edit: FileEdit,
): { readonly after: string } | { readonly problem: string } {
  if (edit.toolName === "WriteFile") return { after: edit.content };
  const pieces = (before ?? "").split(edit.find);
  const isThere = edit.find !== "" && pieces.length > 1;
  if (!isThere) return { problem: "the text to replace was not found" };
  if (pieces.length > 2) return { problem: "the text to replace occurs more than once" };
  return { after: pieces.join(edit.replace) };
}

export interface RunFileToolOptions {
  /** The only folder in which the tools write. */
  readonly folder: string;
  /** The content that the person approved. If the file has changed since, nothing is written. */
  readonly seen?: { readonly path: string; readonly before: string | undefined };
}

/** Runs the call for real. A call outside the folder, malformed or out of date is refused with a result, not thrown. */
export async function runFileTool(
  call: FileToolCall,
  { folder, seen }: RunFileToolOptions,
): Promise<FileToolResult> {
  const edit = parseEdit(call);
  const { path: given } = call.input;
  if (edit === undefined || typeof given !== "string") {
    return { ok: false, message: "the input does not fit the tool" };
  }
  const path = resolve(folder, given);
  const obstacle = await findObstacle(folder, path);
  if (obstacle !== undefined) return { ok: false, message: obstacle };
  const before = await readText(path);
  if (seen?.path === path && seen.before !== before) {
    return { ok: false, message: "the file has changed since the change was shown" };
  }
  const applied = applyEdit(before, edit);
  if ("problem" in applied) return { ok: false, message: applied.problem };
  await replaceFile(path, applied.after);
  return { ok: true, message: `Wrote ${path}` };
}

function parseEdit({ toolName, input }: FileToolCall): FileEdit | undefined {
  const { content, find, replace } = input;
  if (toolName === "WriteFile") {
    return typeof content === "string" ? { toolName, content } : undefined;
  }
  return typeof find === "string" && typeof replace === "string"
    ? { toolName, find, replace }
    : undefined;
}

/** The file's text; `undefined` if there is no file. */
export async function readText(path: string): Promise<string | undefined> {
  return unlessMissing(readFile(path, "utf8"));
}

/** Why the tools do not write to this path: symbolic links are followed in folders, and never written through. */
async function findObstacle(folder: string, path: string): Promise<string | undefined> {
  const outside = `I write only in my scratch folder, ${folder}`;
  const parent = dirname(path);
  if (!isWithin(folder, parent)) return outside;
  const realParent = await unlessMissing(realpath(parent));
  if (realParent === undefined) return `there is no folder ${parent}`;
  if (!isWithin(await realpath(folder), realParent)) return outside;
  const stats = await unlessMissing(lstat(path));
  return stats === undefined || stats.isFile() ? undefined : `${path} is not a file`;
}

function isWithin(folder: string, inner: string): boolean {
  const way = relative(folder, inner);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Replaces the file atomically: a reader finds the old text or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  await writeFile(part, text, { flag: "wx", mode: 0o600 });
  await rename(part, path);
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error: unknown) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
