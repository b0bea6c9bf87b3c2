import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const LOG_HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4096;

/**
 * The number of pages written to the log per trip. A reader that keeps its snapshot makes the log grow all the time,
 * so that its length counts the pages.
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
