import { renameSync, rmSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

import { StoreError } from "@holdpoint/engine";

import type { DataDir } from "./data-dir.ts";
import type { Mark } from "./history-marker.ts";
import { countEntries, readHistory } from "./history.ts";
import { openForReading } from "./open-for-reading.ts";
import { scanWal } from "./wal-scan.ts";

/** A database up to this size is looked through at each start: about three milliseconds for a megabyte. */
const MAX_QUICK_CHECK_BYTES = 32 * 1024 * 1024;

/** A part of the history that was there and is gone. */
export interface HistoryLoss {
  /** What is missing, as a sentence. */
  readonly missing: string;
  /** Whether a gateway can go on with what is there. */
  readonly isAcceptable: boolean;
}

/**
 * Compares the database and its write-ahead log with what the marker says. Changes nothing: a log that is damaged stays as it
 * is. `undefined` when nothing is missing, or when the file is no database at all, which opening it will say.
 *
 * Seen are: a database that is missing or empty; an older copy of it; a log that is missing or cut short, when it held a
 * mark; a log that is damaged anywhere before its last commit; damaged pages in a database of up to 32 MB.
 */
export function findHistoryLoss(
  dataDir: Pick<DataDir, "database">,
  mark: Mark | undefined,
  { isInUse = false }: { readonly isInUse?: boolean } = {},
): HistoryLoss | undefined {
  const size = statSync(dataDir.database, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 && isSomething(mark)) {
    return acceptable(`The database ${dataDir.database} is missing. ${lostAll(mark)}`);
  }
  // A log that is written at the same time looks damaged.
  const { lostCommits } = isInUse ? { lostCommits: 0 } : scanWal(dataDir.database);
  const found = size === 0 ? undefined : lookInside(dataDir, mark, { size, isInUse });
  if (found) return found;
  if (lostCommits === 0) return undefined;
  return acceptable(
    `The log ${dataDir.database}-wal is damaged: ${count(lostCommits, "commit")} behind the damage cannot be read.`,
  );
}

/** The error with which a store refuses to open. */
export function historyLost({ path }: DataDir, { missing, isAcceptable }: HistoryLoss): StoreError {
  const ways = isAcceptable
    ? `Restore a copy of the data folder ${path}, or start with --accept-loss: ` +
      "then the gateway goes on with what is there, and forgets all grants."
    : `Restore a copy of the data folder ${path}, or choose another one.`;
  return new StoreError("HISTORY_LOST", `${missing} ${ways}`);
}

/** Sets aside what SQLite would mix with a new database. */
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
    return undefined; // It is no database of ours: opening it says why.
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
  const lost = mark.entries === undefined ? 0 : mark.entries - countEntries(database);
  const what =
    lost > 0
      ? `the log ends ${count(lost, "entry")} earlier than it did`
      : "changes that were written are missing";
  return acceptable(`The database ${path} is older than it was: ${what}.`);
}

/** Whether there was ever a history to lose. */
function isSomething(mark: Mark | undefined): mark is Mark {
  return mark !== undefined && (mark.generation > 0 || (mark.entries ?? 0) > 0);
}

function lostAll({ entries }: Mark): string {
  return entries === undefined
    ? "All that it held is lost."
    : `Its log had ${count(entries, "entry")}.`;
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
