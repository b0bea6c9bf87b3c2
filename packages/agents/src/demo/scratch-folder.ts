import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { SAMPLE_FILES } from "./sample-project.ts";

/** A session's folder, which need not exist yet. Throws for an id that is not a plain name. */
export function scratchFolderOf(scratchRoot: string, sessionId: string): string {
  if (!/^[\w-]+$/.test(sessionId)) throw new TypeError("The session's id cannot name a folder.");
  return join(scratchRoot, sessionId);
}

/** Creates the folder and any missing sample files. */
export async function prepareScratchFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(SAMPLE_FILES)) {
    try {
      await writeFile(join(folder, name), text, { flag: "wx", mode: 0o600 });
    } catch (error: unknown) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
