import type { Stats } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { parseExactJson } from "@holdpoint/protocol";
import envPaths from "env-paths";

import { UsageError } from "../usage-error.ts";

/** Path of the person's own config file. */
export const USER_CONFIG: string = join(
  envPaths("holdpoint", { suffix: "" }).config,
  "config.json",
);

/**
 * Reads the config file that applies to every gateway of this account; `undefined` if there is none. Rejects with
 * `UsageError` if another user of the machine could have written it.
 */
export async function readUserConfig(path: string): Promise<unknown> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  if (process.platform !== "win32") {
    for (const way of new Set([...wayTo(path), ...wayTo(real)])) await assertOwn(way, path);
  }
  try {
    return parseExactJson(await readFile(real, "utf8"));
  } catch (error: unknown) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} cannot be read: ${reason}`, { cause: error });
  }
}

/** The path and every folder above it. */
function wayTo(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...wayTo(parent)];
}

async function assertOwn(way: string, path: string): Promise<void> {
  const entry = await stat(way);
  if (entry.uid !== process.geteuid?.() && entry.uid !== 0) {
    throw new UsageError(`${path} is not used: ${way} belongs to another user.`);
  }
  if ((entry.mode & 0o022) !== 0 && !isSharedSafely(entry)) {
    throw new UsageError(
      `${path} is not used: other users can write to ${way}. Run: chmod go-w ${way}`,
    );
  }
}

/** Whether a shared folder is safe, such as `/tmp`: others can add files there, but not replace ours. */
function isSharedSafely(entry: Stats): boolean {
  return entry.isDirectory() && (entry.mode & 0o1000) !== 0;
}
