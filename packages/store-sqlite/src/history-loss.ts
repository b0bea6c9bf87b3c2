import { renameSync, rmSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

import { StoreError } from "@holdpoint/engine";

import type { DataDir } from "./data-dir.ts";
import type { Mark } from "./history-marker.ts";
import { countEntries, readHistory } from "./history.ts";
import { openForReading } from "./open-for-reading.ts";
import { scanWal } from "./wal-scan.ts";

/** Databases up to this size are checked at each start, at about three milliseconds per megabyte. */
const MAX_QUICK_CHECK_BYTES = 32 * 1024 * 1024;

/** A part of the history that is lost. */
export interface HistoryLoss {
  /** The missing part, as a sentence. */
  readonly missing: string;
  /** True if a gateway can continue with the rest. */
  readonly isAcceptable: boolean;
}

/**
 * Compares the database and its write-ahead log with the marker. Changes nothing, not even a damaged log. `undefined`
 * when nothing is missing, or when the file is not a database, which opening it reports.
 *
 * Detected: a missing or empty database; an older copy of it; a missing or truncated log that contained a mark; damage
 * in the log before its last commit; damaged pages in a database of up to 32 MB.
 */
export function findHistoryLoss(
  dataDir: Pick<DataDir, "database">,
  mark: Mark | undefined,
  { isInUse = false }: { readonly isInUse?: boolean } = {},
): HistoryLoss | undefined {
  const size = statSync(dataDir.database, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 && isSomething(mark)) {
    const had = count(mark.entries, "entry");
    return acceptable(`The database ${dataDir.database} is missing. Its log had ${had}.`);
  }
  // A log that is being written looks damaged.
  const { lostCommits } = isInUse ? { lostCommits: 0 } : scanWal(dataDir.database);
  const found = size === 0 ? undefined : lookInside(dataDir, mark, { size, isInUse });
  if (found) return found;
  if (lostCommits === 0) return undefined;
  return acceptable(
    `The log ${dataDir.database}-wal is damaged: ${count(lostCommits, "commit")} after the damage cannot be read.`,
  );
}

/** The error when a store refuses to open. */
export function historyLost({ path }: DataDir, { missing, isAcceptable }: HistoryLoss): StoreError {
  const ways = isAcceptable
    ? `Restore a copy of the data folder ${path}, or start with --accept-loss: ` +
      "then the gateway continues with the data that is left, and forgets all grants."
    : `Restore a copy of the data folder ${path}, or choose another one.`;
  return new StoreError("HISTORY_LOST", `${missing} ${ways}`);
}

/** Renames a log whose database is missing, because SQLite would mix it with the new database. */
export function setLogAside({ database }: DataDir): void {
  if (statSync(database).size > 0) return;
  rmSync(`${database}-shm`, { force: true });
  if (statSync(`${database}-wal`, { throwIfNoEntry: false })) {
    renameSync(`${database}-wal`, `${database}-wal.lost`);
  }
}

function lookInside(
  { database: path }: Pick<DataDir, "database">,
  mark: Mark | undefined,
  { size, isInUse }: { readonly size: number; readonly isInUse: boolean },
): HistoryLoss | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = openForReading(path, { isInUse });
    if (size <= MAX_QUICK_CHECK_BYTES) {
      const problem = firstProblem(database);
      if (problem !== undefined) return damaged(path, problem);
    }
    return mark && isSomething(mark) ? compare(database, path, mark) : undefined;
  } catch {
    return undefined; // Not a gateway's database: opening it reports why.
  } finally {
    database?.close();
  }
}

function compare(database: DatabaseSync, path: string, mark: Mark): HistoryLoss | undefined {
  const { epoch, generation } = readHistory(database);
  if (epoch === mark.epoch && generation >= mark.generation) return undefined;
  if (epoch !== mark.epoch) {
    return acceptable(`The database ${path} holds another history than this folder had.`);
  }
  const lost = mark.entries - countEntries(database);
  const what =
    lost > 0
      ? `the log ends ${count(lost, "entry")} earlier than it did`
      : "changes that were written are missing";
  return acceptable(`The database ${path} is older than it was: ${what}.`);
}

/** True if there was any history to lose. */
function isSomething(mark: Mark | undefined): mark is Mark {
  return mark !== undefined && (mark.generation > 0 || mark.entries > 0);
}

function firstProblem(database: DatabaseSync): string | undefined {
  const { quick_check: said } = database.prepare("PRAGMA quick_check(1)").get() as {
    quick_check: string;
  };
  return said === "ok" ? undefined : (said.split("\n").at(-1) ?? said);
}

function damaged(path: string, problem: string): HistoryLoss {
  return { missing: `The database ${path} is damaged (${problem}).`, isAcceptable: false };
}

function acceptable(missing: string): HistoryLoss {
  return { missing, isAcceptable: true };
}

function count(number: number, what: "commit" | "entry"): string {
  const many = what === "entry" ? "entries" : "commits";
  return `${number.toLocaleString("en-US")} ${number === 1 ? what : many}`;
}
