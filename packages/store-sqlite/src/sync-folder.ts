import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes a newly created file survive a power loss. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return; // Windows cannot open folders.
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
