import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";

import type { Clock } from "@holdpoint/engine";

const CHECK_DELAY_MS = 1000;
/** Four times the length at which SQLite checkpoints on its own. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;
/** Reading the length of the log is a system call, so it happens once in this many commits, and once a second. */
const LOOK_EVERY_COMMITS = 32;
/** How long the gateway may block until readers end, at most once per check. */
const READER_PATIENCE_MS = 100;
/** The log is truncated before it takes more than this fraction of the disk's free space. */
const LOG_PART_OF_FREE = 1 / 2;
/** Smaller logs are never truncated. */
const LEAST_LOG_BYTES = 256 * 1024;
/** Pages returned to the disk per check, at about a millisecond for ten. */
const PAGES_AT_ONCE = 200;
/** Free pages that are kept for reuse. */
const KEPT_PAGES = 100;
const OPTIMIZE_INTERVAL_MS = 6 * 60 * 60 * 1000;

export interface MaintenanceOptions {
  readonly clock: Clock;
  /** The path of the database's write-ahead log. */
  readonly logPath: string;
  readonly maxLogBytes?: number;
}

/**
 * Maintains the database between commits. It runs a second after a commit, earlier when the log grows quickly, and not
 * at all without commits.
 *
 * - SQLite checkpoints every thousand pages, and restarts the log when no one is reading it. Readers that follow each
 *   other without a pause keep it from ever restarting. Above a limit, new readers are therefore directed to the
 *   database, the last reader of the log is waited for, and the log is truncated.
 * - On a small disk the log is truncated earlier, so that it does not fill the disk.
 * - Deleted space is returned to the disk, a few pages at a time.
 * - Every six hours, and on closing, SQLite updates its statistics, so that it keeps choosing the right indexes.
 *
 * A reader with a single long transaction still holds the log until it ends.
 */
export class Maintenance implements Disposable {
  readonly #database: DatabaseSync;
  readonly #options: MaintenanceOptions;
  readonly #maxLogBytes: number;
  readonly #freePages: StatementSync;
  #optimizedAtMs: number;
  #timer: Disposable | undefined;
  #commits = 0;
  /** Length of the log after the last check. */
  #lookedAtBytes = 0;

  constructor(database: DatabaseSync, options: MaintenanceOptions) {
    this.#database = database;
    this.#freePages = database.prepare("PRAGMA freelist_count");
    this.#options = options;
    this.#maxLogBytes = options.maxLogBytes ?? MAX_LOG_BYTES;
    this.#optimizedAtMs = options.clock.monotonic();
  }

  /** Call after each commit. Never throws. */
  noteCommit(): void {
    const { clock } = this.#options;
    this.#timer ??= clock.after(CHECK_DELAY_MS, () => this.#check());
    this.#commits += 1;
    if (this.#commits % LOOK_EVERY_COMMITS === 0) this.#try(() => this.#boundLog());
  }

  /** Checkpoints and truncates the log, unless a reader holds it. */
  cutLog(): void {
    this.#try(() => this.#database.exec(`PRAGMA busy_timeout = ${READER_PATIENCE_MS}`));
    this.#try(() => this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
    this.#try(() => this.#database.exec("PRAGMA busy_timeout = 0"));
  }

  /** Stops, and updates SQLite's statistics a last time. The database must still be open. */
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

  /** Waits for a reader once a second, and once for each further `maxLogBytes` of log. */
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

  /** Shrinks the file, except for databases of the first versions, which cannot shrink. */
  #giveBack(): void {
    const { freelist_count: free } = this.#freePages.get() as { freelist_count: number };
    if (free <= KEPT_PAGES) return;
    this.#database.exec(`PRAGMA incremental_vacuum(${Math.min(free - KEPT_PAGES, PAGES_AT_ONCE)})`);
    const { freelist_count: left } = this.#freePages.get() as { freelist_count: number };
    // Otherwise nothing was returned, and nothing more will be.
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
      // Another program holds the database, or its disk is full or missing. The next check tries again.
    }
  }
}
