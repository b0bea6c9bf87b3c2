import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";

import type { Clock } from "@holdpoint/engine";

const CHECK_DELAY_MS = 1000;
/** Four times the length at which SQLite copies the log to the database by itself. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;
/** Looking at the length of the log costs a call of the system: it is done after so many commits, and once a second. */
const LOOK_EVERY_COMMITS = 32;
/** How long the gateway stands still for readers to end, at most once in a check. */
const READER_PATIENCE_MS = 100;
/** A log is cut before it takes more than this part of what is free on the disk. */
const LOG_PART_OF_FREE = 1 / 2;
/** A log is never cut sooner. */
const LEAST_LOG_BYTES = 256 * 1024;
/** Pages that are given back in one check: about a millisecond for ten. */
const PAGES_AT_ONCE = 200;
/** So many free pages are kept for what comes next. */
const KEPT_PAGES = 100;
const OPTIMIZE_INTERVAL_MS = 6 * 60 * 60 * 1000;

export interface MaintenanceOptions {
  readonly clock: Clock;
  /** The write-ahead log of the database. */
  readonly logPath: string;
  readonly maxLogBytes?: number;
}

/**
 * What the database needs beside its commits. It looks a second after a commit, sooner where the log grows fast, and does nothing
 * while there are no commits.
 *
 * - SQLite copies its log to the database every thousand pages, and starts the log again when nobody reads it. Programs that
 *   read one after the other, without a pause, keep it from ever starting again. Beyond a limit new readers are therefore
 *   sent to the database, the last reader of the log is waited for, and the log is cut.
 * - On a small disk the log is cut sooner, so that it does not take all that is left.
 * - What was deleted is given back to the disk, a few pages at a time.
 * - Every six hours, and on closing, SQLite measures its tables, so that it goes on choosing the right indexes.
 *
 * One reader that keeps a single transaction open still holds the log: nothing but its end can help.
 */
export class Maintenance implements Disposable {
  readonly #database: DatabaseSync;
  readonly #options: MaintenanceOptions;
  readonly #maxLogBytes: number;
  readonly #freePages: StatementSync;
  #optimizedAtMs: number;
  #timer: Disposable | undefined;
  #commits = 0;
  /** How long the log was after the last look. */
  #lookedAtBytes = 0;

  constructor(database: DatabaseSync, options: MaintenanceOptions) {
    this.#database = database;
    this.#freePages = database.prepare("PRAGMA freelist_count");
    this.#options = options;
    this.#maxLogBytes = options.maxLogBytes ?? MAX_LOG_BYTES;
    this.#optimizedAtMs = options.clock.monotonic();
  }

  /** To be called after each commit. Never throws. */
  noteCommit(): void {
    const { clock } = this.#options;
    this.#timer ??= clock.after(CHECK_DELAY_MS, () => this.#check());
    this.#commits += 1;
    if (this.#commits % LOOK_EVERY_COMMITS === 0) this.#try(() => this.#boundLog());
  }

  /** Copies the log to the database and empties it, unless a reader keeps it. */
  cutLog(): void {
    this.#try(() => this.#database.exec(`PRAGMA busy_timeout = ${READER_PATIENCE_MS}`));
    this.#try(() => this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
    this.#try(() => this.#database.exec("PRAGMA busy_timeout = 0"));
  }

  /** Stops, and has SQLite measure its tables a last time. The database must still be open. */
  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#optimize();
  }

  #check(): void {
    this.#timer = undefined;
    this.#try(() => this.#boundLog({ isDue: true }));
    this.#try(() => this.#giveBack());
    const { clock } = this.#options;
    if (clock.monotonic() - this.#optimizedAtMs >= OPTIMIZE_INTERVAL_MS) this.#optimize();
  }

  /** A reader that keeps the log is waited for once in a second, and once for each limit's worth of further log. */
  #boundLog({ isDue = false } = {}): void {
    const bytes = this.#logBytes();
    if (!isDue && bytes < this.#lookedAtBytes + this.#maxLogBytes) return;
    if (bytes > this.#logLimit()) this.cutLog();
    this.#lookedAtBytes = this.#logBytes();
  }

  #logLimit(): number {
    const { bavail, bsize } = statfsSync(dirname(this.#options.logPath));
    const part = bavail * bsize * LOG_PART_OF_FREE;
    return Math.min(this.#maxLogBytes, Math.max(part, LEAST_LOG_BYTES));
  }

  /** Makes the file shorter, unless it is a file of the first versions, which keep what they have. */
  #giveBack(): void {
    const { freelist_count: free } = this.#freePages.get() as { freelist_count: number };
    if (free <= KEPT_PAGES) return;
    this.#database.exec(`PRAGMA incremental_vacuum(${Math.min(free - KEPT_PAGES, PAGES_AT_ONCE)})`);
    const { freelist_count: left } = this.#freePages.get() as { freelist_count: number };
    // Else nothing was given back, and nothing will be.
    if (left < free) this.noteCommit();
  }

  #logBytes(): number {
    return statSync(this.#options.logPath, { throwIfNoEntry: false })?.size ?? 0;
  }

  #optimize(): void {
    this.#optimizedAtMs = this.#options.clock.monotonic();
    this.#try(() => this.#database.exec("PRAGMA optimize"));
  }

  #try(run: () => void): void {
    try {
      run();
    } catch {
      // Another program holds the database, or its disk is full or away: the next check tries again.
    }
  }
}
