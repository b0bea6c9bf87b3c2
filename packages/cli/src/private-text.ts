import { readFileSync, statSync } from "node:fs";

import { UsageError } from "./usage-error.ts";

/**
 * The text of a file that only its owner can read, without trailing white space. `name` stands for the file in errors.
 * Throws `UsageError` for a file that others can read, that is empty, or that is unreadable.
 */
export function readPrivateText(path: string, name: string): string {
  const text = read(path, name).trimEnd();
  if (text !== "") return text;
  throw new UsageError(`${name}: ${path} is empty.`);
}

function read(path: string, name: string): string {
  try {
    refuseReadable(path, name);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${name}: ${path} cannot be read.`, { cause: error });
  }
}

function refuseReadable(path: string, name: string): void {
  const entry = statSync(path);
  if (!entry.isFile() || process.platform === "win32") return;
  const isOwn = entry.uid === process.getuid?.() || entry.uid === 0;
  if (isOwn && (entry.mode & 0o077) === 0) return;
  throw new UsageError(
    `${name}: ${path} can be read or changed by other users. Make it private: chmod 600.`,
  );
}
