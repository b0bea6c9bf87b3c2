import { rm } from "node:fs/promises";

import type { TerminalKind } from "@holdpoint/agents";

import { UsageError } from "../usage-error.ts";
import { type Adoption, digestOfText } from "./adoptions.ts";
import { hasHook, withHook, withoutHook } from "./hook-entries.ts";
import { readSettingsFile, type SettingsFile, toText, writeText } from "./settings-file.ts";

/** The changes that adopting makes to one settings file. */
export interface Plan {
  readonly path: string;
  readonly text: string;
  readonly adoption: Adoption;
}

/**
 * The new text of a settings file. `known`: an earlier adoption of this file. Throws `UsageError` for hooks that cannot
 * be read.
 */
export function planAdoption(
  kind: TerminalKind,
  { path, text, settings }: SettingsFile,
  program: string,
  known: Adoption | undefined,
): Plan {
  try {
    const others = withoutHook(settings, program);
    const after = toText(withHook(kind, settings, program), text);
    const before = beforeOf(text, known, () => (others === settings ? text : toText(others, text)));
    return { path, text: after, adoption: { kind, path, before, written: digestOfText(after) } };
  } catch (error: unknown) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${path}: ${error.message}. Nothing was written.`, { cause: error });
  }
}

/**
 * The text to restore. For a file adopted twice, that is the text before the first time, unless it was changed since.
 */
function beforeOf(
  text: string | undefined,
  known: Adoption | undefined,
  others: () => string | undefined,
): string | null {
  const isAsWritten = known && text !== undefined && digestOfText(text) === known.written;
  return isAsWritten ? known.before : (others() ?? null);
}

/**
 * `changed`: the file was changed since, so only the hook was removed. `unreadable`: the file was changed so that it
 * could not be written back, and is left alone.
 */
export type Undone = "restored" | "removed" | "changed" | "absent" | "unreadable";

/** Removes the hook from a file: restores the file byte for byte or, if it was changed since, removes only the hook. */
export async function undoAdoption(adoption: Adoption, program: string): Promise<Undone> {
  try {
    return await undo(adoption, program);
  } catch (error: unknown) {
    if (error instanceof UsageError || error instanceof TypeError) return "unreadable";
    throw error;
  }
}

async function undo({ path, before, written }: Adoption, program: string): Promise<Undone> {
  const { text, settings } = await readSettingsFile(path);
  if (text === undefined) return "absent";
  if (digestOfText(text) === written) {
    if (before === null) await rm(path);
    else await writeText(path, before);
    return before === null ? "removed" : "restored";
  }
  if (!hasHook(settings, program)) return "absent";
  await writeText(path, toText(withoutHook(settings, program), text));
  return "changed";
}
