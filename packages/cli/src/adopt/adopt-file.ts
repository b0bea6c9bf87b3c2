import { rm } from "node:fs/promises";

import type { TerminalKind } from "@holdpoint/agents";

import { UsageError } from "../usage-error.ts";
import { type Adoption, digestOfText } from "./adoptions.ts";
import { hasHook, withHook, withoutHook } from "./hook-entries.ts";
import { readSettingsFile, type SettingsFile, toText, writeText } from "./settings-file.ts";

/** What adopting changes in one settings file. */
export interface Plan {
  readonly path: string;
  readonly text: string;
  readonly adoption: Adoption;
}

/** What would be written. `known`: what was adopted there before. Throws `UsageError` for hooks that cannot be read. */
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

/** Adopted twice, the file goes back to how it was before the first time, unless somebody has changed it since. */
function beforeOf(
  text: string | undefined,
  known: Adoption | undefined,
  others: () => string | undefined,
): string | null {
  const isAsWritten = known && text !== undefined && digestOfText(text) === known.written;
  return isAsWritten ? known.before : (others() ?? null);
}

/**
 * `changed`: somebody has changed the file since, and the rest of it stays. `unreadable`: it was changed so that it could not be
 * written back, and is left as it is.
 */
export type Undone = "restored" | "removed" | "changed" | "absent" | "unreadable";

/** Takes the hook out of a file: byte for byte as it was or, where it was changed since, only the hook. */
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
