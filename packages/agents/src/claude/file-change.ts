import { readFile, stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";

import type { FileChange } from "@holdpoint/protocol";

import { resolvePath } from "../protection/resolve-path.ts";
import { editNotebook } from "./edit-notebook.ts";
import { editText, writeText } from "./edit-text.ts";

const MAX_FILE_BYTES = 1024 * 1024;

/**
 * The change that a Claude edit tool would make to the current file: the whole texts, and the path with links followed.
 * `undefined` where the change is not certain: another tool, a file that is not text or larger than 1 MiB, an edit that
 * does not fit, or one that Claude makes in an unpredictable way.
 */
export async function findFileChange(
  toolName: string,
  input: Record<string, unknown>,
  { cwd }: { cwd: string },
): Promise<FileChange | undefined> {
  const path = input["file_path"] ?? input["notebook_path"];
  if (!isEditTool(toolName) || typeof path !== "string") return undefined;
  const file = await readText(resolve(cwd, path));
  if (file === undefined) return undefined;
  const { text: before } = file;
  const after = EDITS[toolName](before, input);
  if (after === undefined || Buffer.byteLength(after) > MAX_FILE_BYTES) return undefined;
  const leadsTo = await whereLeads(path, cwd);
  if (!isShown(toolName, leadsTo)) return undefined;
  return { path: leadsTo, ...(before !== undefined && { before }), after };
}

/** Whether the edit still makes the change that was shown: the file may have changed since. */
export async function isAsShown(
  { toolName, input, cwd }: { toolName: string; input: Record<string, unknown>; cwd: string },
  shown: FileChange | undefined,
): Promise<boolean> {
  if (shown === undefined) return true;
  const now = await findFileChange(toolName, input, { cwd });
  return isDeepStrictEqual(now, shown);
}

/** The file that a tool opens for this path, with all links followed. It need not exist. */
export function whereLeads(path: string, cwd: string): Promise<string> {
  return resolvePath(resolve(cwd, path), cwd);
}

/** Each returns the file's text after the edit; `undefined`: not certain. */
const EDITS = { Edit: editText, Write: writeText, NotebookEdit: editNotebook } as const;

type EditTool = keyof typeof EDITS;

function isEditTool(toolName: string): toolName is EditTool {
  return Object.hasOwn(EDITS, toolName);
}

/**
 * Whether the change can be shown. Claude edits notebooks only with their own tool, and alters text written to its
 * memory.
 */
function isShown(toolName: EditTool, path: string): boolean {
  const isNotebook = extname(path) === ".ipynb";
  if (isNotebook !== (toolName === "NotebookEdit") && toolName !== "Write") return false;
  return !/[/]projects[/][^/]+[/]memory[/]/.test(path);
}

/** `undefined`: the file cannot be shown; without `text`: it does not exist yet. */
export async function readText(path: string): Promise<{ text?: string } | undefined> {
  try {
    const file = await stat(path);
    if (!file.isFile() || file.size > MAX_FILE_BYTES) return undefined;
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const text = decoder.decode(await readFile(path));
    return text.includes("\0") ? undefined : { text };
  } catch (error: unknown) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? {} : undefined;
  }
}
