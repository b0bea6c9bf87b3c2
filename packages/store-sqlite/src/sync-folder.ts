import { closeSync, fsyncSync, openSync } from "node:fs";

/** So that a file which has just come is there after a power loss. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return; // Windows opens no folders.
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
