import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { StoreError } from "@holdpoint/engine";

/** A file in the data folder of a store that was moved. Its content is the new location. */
export const MOVED_MARK = "moved-to";

/** Throws `StoreError` for a data folder whose store was moved: anything written there would be lost. */
export function refuseMoved(dataDir: string): void {
  const mark = join(dataDir, MOVED_MARK);
  if (!existsSync(mark)) return;
  throw new StoreError(
    "STORE_FAILED",
    `The content of the data folder ${resolve(dataDir)} was moved to ${readFileSync(mark, "utf8").trim()}. ` +
      "Start with that store, or move it back.",
  );
}
