import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const LOG_HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4096;

/**
 * How many pages are written to the log for each of so many trips. A reader that keeps its snapshot has the log grow from
 * its end all the while, so that its length counts them.
 */
export async function countFrames(
  dataDir: string,
  trips: number,
  run: () => Promise<unknown>,
): Promise<number> {
  using reader = new DatabaseSync(join(dataDir, "holdpoint.db"));
  reader.exec("PRAGMA wal_checkpoint(TRUNCATE); BEGIN");
  reader.prepare("SELECT count(*) FROM history").get();
  const before = framesOf(dataDir);
  await run();
  return (framesOf(dataDir) - before) / trips;
}

function framesOf(dataDir: string): number {
  const { size } = statSync(join(dataDir, "holdpoint.db-wal"));
  return Math.max(size - LOG_HEADER_BYTES, 0) / FRAME_BYTES;
}
