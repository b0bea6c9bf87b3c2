import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";

import type { FileChange } from "@holdpoint/protocol";

import { resolvePath } from "../protection/resolve-path.ts";

const MAX_FILE_BYTES = 1024 * 1024;

/**
 * The change that an edit tool would make, whole, from the file as it is now, under the path that links lead to.
 * `undefined` where there is nothing certain to show: another tool, a file that is not text or larger than 1 MiB, an edit
 * that does not fit.
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
  const after = applyEdit(toolName, input, before);
  if (after === undefined || Buffer.byteLength(after) > MAX_FILE_BYTES) return undefined;
  return { path: await whereLeads(path, cwd), ...(before !== undefined && { before }), after };
}

/** The file that a tool takes for this path, with all links followed. It need not exist. */
export function whereLeads(path: string, cwd: string): Promise<string> {
  return resolvePath(resolve(cwd, path), cwd);
}

type EditTool = "Edit" | "MultiEdit" | "Write" | "NotebookEdit";

function isEditTool(toolName: string): toolName is EditTool {
  return ["Edit", "MultiEdit", "Write", "NotebookEdit"].includes(toolName);
}

/** `undefined` for what cannot be shown; without `text` there is no such file yet. */
async function readText(path: string): Promise<{ text?: string } | undefined> {
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

/** The text after the edit, or `undefined` if it does not fit the text before. */
export function applyEdit(
  toolName: EditTool,
  input: Record<string, unknown>,
  before: string | undefined,
): string | undefined {
  switch (toolName) {
    case "Write":
      return typeof input["content"] === "string" ? input["content"] : undefined;
    case "Edit":
      return replaceOnce(before, input);
    case "MultiEdit": {
      const edits = input["edits"];
      if (!Array.isArray(edits)) return undefined;
      let text = before;
      for (const edit of edits as unknown[]) {
        if (typeof edit !== "object" || edit === null) return undefined;
        text = replaceOnce(text, edit as Record<string, unknown>);
        if (text === undefined) return undefined;
      }
      return text;
    }
    case "NotebookEdit":
      return editNotebook(before, input);
  }
}

function replaceOnce(
  before: string | undefined,
  edit: Record<string, unknown>,
): string | undefined {
  const { old_string: oldText, new_string: newText, replace_all: replaceAll } = edit;
  if (typeof oldText !== "string" || typeof newText !== "string") return undefined;
  if (oldText === "") return before === undefined || before === "" ? newText : undefined;
  if (before === undefined) return undefined;
  // Models see and write line feeds only, also for files with carriage returns.
  const hasReturns = !before.includes(oldText) && before.includes("\r\n");
  const text = hasReturns ? before.replaceAll("\r\n", "\n") : before;
  const after = replaceIn(text, { oldText, newText, mayRepeat: replaceAll === true });
  return hasReturns ? after?.replaceAll("\n", "\r\n") : after;
}

function replaceIn(
  text: string,
  { oldText, newText, mayRepeat }: { oldText: string; newText: string; mayRepeat: boolean },
): string | undefined {
  const parts = text.split(oldText);
  const isFound = parts.length === 2 || (parts.length > 2 && mayRepeat);
  return isFound ? parts.join(newText) : undefined;
}

interface Cell {
  id?: string;
  cell_type?: string;
  source?: unknown;
  [key: string]: unknown;
}

function editNotebook(
  before: string | undefined,
  input: Record<string, unknown>,
): string | undefined {
  const notebook = parseNotebook(before);
  const { cell_id: cellId, new_source: source, cell_type: type, edit_mode: mode } = input;
  if (notebook === undefined || typeof source !== "string") return undefined;
  const { cells } = notebook;
  const at = cells.findIndex((cell, index) => cell.id === cellId || `cell-${index}` === cellId);
  const cell = cells[at];
  if (mode === "insert") {
    if (cellId !== undefined && cell === undefined) return undefined;
    cells.splice(at + 1, 0, {
      cell_type: typeof type === "string" ? type : "code",
      metadata: {},
      source,
    });
  } else if (cell === undefined) {
    return undefined;
  } else if (mode === "delete") {
    cells.splice(at, 1);
  } else {
    cell.source = source;
    if (typeof type === "string") cell.cell_type = type;
  }
  return JSON.stringify(notebook, null, 1) + (before?.endsWith("\n") === true ? "\n" : "");
}

function parseNotebook(text: string | undefined): { cells: Cell[] } | undefined {
  try {
    const parsed: unknown = JSON.parse(text ?? "");
    return typeof parsed === "object" &&
      parsed !== null &&
      "cells" in parsed &&
      Array.isArray(parsed.cells)
      ? (parsed as { cells: Cell[] })
      : undefined;
  } catch {
    return undefined; // not a notebook: nothing certain to show
  }
}
