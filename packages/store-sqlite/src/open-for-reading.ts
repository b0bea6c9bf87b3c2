import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

const TIMEOUT_MS = 2000;

/**
 * Opens a database for reading. The database and its log stay unchanged, also when the connection is closed. Without a
 * log SQLite would create one, or fail in a read-only folder, so the database is then opened as immutable, which
 * requires a correct `isInUse`. Throws SQLite's error.
 */
export function openForReading(
  path: string,
  { isInUse }: { readonly isInUse: boolean },
): DatabaseSync {
  const options = { readOnly: true, timeout: TIMEOUT_MS };
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (isInUse || hasLog) return new DatabaseSync(path, options);
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, options);
}
