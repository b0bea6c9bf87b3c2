import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

import type { Clock } from "@holdpoint/engine";

const CHECK_DELAY_MS = 1000;
/** Four times the length at which SQLite copies the log to the database by itself. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;
/** How long the gateway stands still for readers to end, at most once in a check. */
const READER_PATIENCE_MS = 100;
const OPTIMIZE_INTERVAL_MS = 6 * 60 * 60 * 1000;

export interface MaintenanceOptions {
  readonly clock: Clock;
  /** The write-ahead log of the database. */
  readonly logPath: string;
  readonly maxLogBytes?: number;
}

/**
 * What the database needs beside its commits. It looks a second after a commit, and does nothing while there are none.
 *
 * - SQLite copies its log to the database every thousand pages, and starts the log again when nobody reads it. Programs that
 *   read one after the other, without a pause, keep it from ever starting again. Beyond a limit new readers are therefore
 *   sent to the database, the last reader of the log is waited for, and the log is cut.
 * - Every six hours, and on closing, SQLite measures its tables, so that it goes on choosing the right indexes.
 *
 * One reader that keeps a single transaction open still holds the log: nothing but its end can help.
 */
export class Maintenance implements Disposable {
  readonly #database: DatabaseSync;
  readonly #options: MaintenanceOptions;
  readonly #maxLogBytes: number;
  #optimizedAtMs: number;
  #timer: Disposable | undefined;

  constructor(database: DatabaseSync, options: MaintenanceOptions) {
    this.#database = database;
    this.#options = options;
    this.#maxLogBytes = options.maxLogBytes ?? MAX_LOG_BYTES;
    this.#optimizedAtMs = options.clock.monotonic();
  }

  /** To be called after each commit. Never throws. */
  noteCommit(): void {
    const { clock } = this.#options;
    this.#timer ??= clock.after(CHECK_DELAY_MS, () => this.#check());
  }

  /** Copies the log to the database and empties it, unless a reader keeps it. */
  cutLog(): void {
    this.#try(`PRAGMA busy_timeout = ${READER_PATIENCE_MS}`);
    this.#try("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#try("PRAGMA busy_timeout = 0");
  }

  /** Stops, and has SQLite measure its tables a last time. The database must still be open. */
  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#optimize();
  }

  #check(): void {
    this.#timer = undefined;
    if (this.#logBytes() > this.#maxLogBytes) this.cutLog();
    const { clock } = this.#options;
    if (clock.monotonic() - this.#optimizedAtMs >= OPTIMIZE_INTERVAL_MS) this.#optimize();
  }

  #logBytes(): number {
    return statSync(this.#options.logPath, { throwIfNoEntry: false })?.size ?? 0;
  }

  #optimize(): void {
    this.#optimizedAtMs = this.#options.clock.monotonic();
    this.#try("PRAGMA optimize");
  }

  #try(pragma: string): void {
    try {
      this.#database.exec(pragma);
    } catch {
      // Another program holds the database, or the disk is full: the next check tries again.
    }
  }
}
