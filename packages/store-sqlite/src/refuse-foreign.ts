import { closeSync, openSync, readSync } from "node:fs";

import { assertKnown } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { newestPage } from "./wal-scan.ts";

/** Fields in the first page of a database: https://www.sqlite.org/fileformat2.html#the_database_header */
const MAGIC = "SQLite format 3\0";
const VERSION_AT = 60;
const APPLICATION_AT = 68;
/** Fields of the schema page, after the header: its type, and its number of entries. */
const PAGE_TYPE_AT = 100;
const CELL_COUNT_AT = 103;
const LEAF = 13;
const HEAD_BYTES = 108;

/**
 * Throws `StoreError` for a database that this release cannot use. Call it before SQLite opens the database,
 * because SQLite writes to files even when it only reads them. A file that is not a database is left to SQLite to
 * report.
 */
export function refuseForeign(path: string): void {
  const head = newestPage(path, 1)?.subarray(0, HEAD_BYTES) ?? readHead(path);
  if (head.length < HEAD_BYTES || head.toString("latin1", 0, MAGIC.length) !== MAGIC) return;
  const origin = {
    applicationId: head.readUInt32BE(APPLICATION_AT),
    version: head.readUInt32BE(VERSION_AT),
    isEmpty: head[PAGE_TYPE_AT] === LEAF && head.readUInt16BE(CELL_COUNT_AT) === 0,
  };
  assertKnown(origin, MIGRATIONS.length, path);
}

function readHead(path: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const file = openSync(path, "r");
    try {
      return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return Buffer.alloc(0); // the file does not exist
  }
}
