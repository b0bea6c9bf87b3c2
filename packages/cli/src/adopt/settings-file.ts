import { randomBytes } from "node:crypto";
import { lstat, mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";

import { isRecord } from "@holdpoint/protocol";

import { UsageError } from "../usage-error.ts";
import type { HookSettings } from "./hook-entries.ts";
import { withMember } from "./json-member.ts";

/** A settings file and its parsed content. */
export interface SettingsFile {
  /** The real path, with links followed. */
  readonly path: string;
  /** `undefined`: there is no file. */
  readonly text: string | undefined;
  readonly settings: HookSettings;
}

/**
 * Reads a settings file. `within`: a folder that links must not lead out of. Rejects with `UsageError` for a file that
 * could not be written back unchanged.
 */
export async function readSettingsFile(named: string, within?: string): Promise<SettingsFile> {
  const path = await findTarget(named);
  if (within !== undefined && !isInside(path, await realpath(within))) {
    throw refusal(named, `leads to ${path}, which is outside the project`);
  }
  const text = await readText(path);
  return { path, text, settings: text === undefined ? {} : parse(path, text) };
}

/** Throws `UsageError` if the text is not a JSON object, such as a file with comments, which would be lost. */
function parse(path: string, text: string): HookSettings {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error: unknown) {
    throw refusal(path, "is not plain JSON; comments would be lost", error);
  }
  if (isRecord(value)) return value;
  throw refusal(path, "is not a JSON object");
}

/** The text with these hooks; everything else stays byte for byte. Throws `TypeError` if the hooks occur twice. */
export function toText({ hooks }: HookSettings, before: string | undefined): string {
  const blank = before === undefined || before.trim() === "";
  if (blank) return `${JSON.stringify(hooks === undefined ? {} : { hooks }, undefined, "  ")}\n`;
  return withMember(before, "hooks", hooks);
}

/** Replaces the file atomically, keeping its mode. A new file is readable by its owner only. */
export async function writeText(path: string, text: string): Promise<void> {
  const mode = await stat(path).then(
    (file) => file.mode & 0o777,
    () => 0o600,
  );
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(fresh, text, { mode, flag: "wx" });
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

export async function readText(path: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(path);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error: unknown) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw refusal(path, "cannot be read", error);
  }
}

/** The file to write: a link's target, so that the link stays. */
async function findTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const isLink = await lstat(path).then(
      (file) => file.isSymbolicLink(),
      () => false,
    );
    if (isLink) throw refusal(path, "is a link to nothing");
    const folder = await realpath(dirname(path)).catch(() => dirname(path));
    return join(folder, basename(path));
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !way.startsWith("/");
}

function refusal(path: string, problem: string, cause?: unknown): UsageError {
  return new UsageError(`${path} ${problem}. Nothing was written.`, { cause });
}
