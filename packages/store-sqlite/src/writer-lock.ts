import { readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { type Clock, createSystemClock, StoreError } from "@holdpoint/engine";

import type { DataDir } from "./data-dir.ts";
import { storeFailed } from "./database.ts";

const SQLITE_BUSY = 5;
/** How often an idle gateway checks that the folder is still its own. */
const LOOK_MS = 1000;

/** Events of a data folder in use. */
export interface FolderEvents {
  /** Reports to a person, as a sentence, that nothing can be stored, or that it can again. */
  readonly onProblem?: (problem: string) => void;
  /** The folder is no longer this process's, which must end. Nothing is written from now on. */
  readonly onLost?: (error: StoreError) => void;
}

/** The exclusive right to write to a data folder. */
export interface WriterLock extends Disposable {
  /** Throws `StoreError` while the folder is missing, and permanently once its files are not the locked ones. */
  assertHeld(): void;
  /** The last error of `assertHeld`, also reported to `events`; undefined once the folder is back. */
  readonly trouble: StoreError | undefined;
}

/**
 * Makes this process the only user of the data folder, until the result is disposed or the process dies: SQLite takes
 * an operating system lock on a dedicated file. No other code may open that file, since closing it would drop the lock
 * of the whole process; so the owner's process id is in a second file.
 *
 * The lock is on the file, not on its name: if the file is removed or the folder moved, another process can lock a new
 * one. So the folder, the lock and the database are compared with those originally locked, before each commit and once
 * a second.
 *
 * Throws `STORE_LOCKED` immediately when another process holds it.
 */
export function acquireWriterLock(
  dataDir: DataDir,
  { clock = createSystemClock(), ...events }: FolderEvents & { readonly clock?: Clock } = {},
): WriterLock {
  const connection = new DatabaseSync(dataDir.lock, { timeout: 0 });
  try {
    connection.exec("BEGIN EXCLUSIVE");
    writeFileSync(dataDir.owner, `${process.pid}\n`);
    return new HeldFolder(dataDir, { connection, clock, events });
  } catch (error: unknown) {
    connection.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) {
      throw lockedBy(readOwner(dataDir.owner), dataDir.path, error);
    }
    throw storeFailed(`Locking the data folder ${dataDir.path}`, error);
  }
}

interface HeldParts {
  readonly connection: DatabaseSync;
  readonly clock: Clock;
  readonly events: FolderEvents;
}

class HeldFolder implements WriterLock {
  readonly #path: string;
  readonly #parts: HeldParts;
  /** The identities of the folder (first) and its files. */
  readonly #own: ReadonlyMap<string, string>;
  #trouble: StoreError | undefined;
  #isLost = false;
  #timer: Disposable;

  constructor({ path, lock, database }: DataDir, parts: HeldParts) {
    this.#path = path;
    this.#parts = parts;
    const found = [path, lock, database].map((file) => [file, identityOf(file)] as const);
    // There is no database here if the gateway's store is elsewhere.
    this.#own = new Map(found.filter(([, identity]) => identity !== GONE));
    this.#timer = this.#arm();
  }

  get trouble(): StoreError | undefined {
    return this.#trouble;
  }

  assertHeld(): void {
    if (!this.#isLost) this.#note(this.#look());
    if (this.#trouble) throw this.#trouble;
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
    const { connection } = this.#parts;
    if (connection.isOpen) connection.close();
  }

  #arm(): Disposable {
    return this.#parts.clock.after(LOOK_MS, () => {
      this.#timer = this.#arm();
      try {
        this.assertHeld();
      } catch {
        // Already reported to `events`.
      }
    });
  }

  #look(): "away" | "held" | "lost" {
    const now = [...this.#own].map(([file, own]) => ({ own, now: identityOf(file) }));
    const [folder] = now;
    if (now.every((file) => file.now === file.own)) return "held";
    if (now.some((file) => isSeen(file) && file.now !== file.own)) return "lost";
    // A file is missing in its own folder.
    if (folder && isSeen(folder) && now.some((file) => file.now === GONE)) return "lost";
    return "away";
  }

  #note(state: "away" | "held" | "lost"): void {
    const { onProblem, onLost } = this.#parts.events;
    if (state === "held") {
      if (this.#trouble) onProblem?.(`The data folder ${this.#path} is back.`);
      this.#trouble = undefined;
    } else if (state === "away") {
      if (this.#trouble) return;
      this.#trouble = away(this.#path);
      onProblem?.(this.#trouble.message);
    } else {
      this.#isLost = true;
      this.#timer[Symbol.dispose]();
      this.#trouble = lost(this.#path);
      onLost?.(this.#trouble);
    }
  }
}

function isSeen({ now }: { readonly now: string }): boolean {
  return now !== GONE && now !== UNSEEN;
}

const GONE = "gone";
const UNSEEN = "unseen";

/** Identifies a file independently of its name. */
function identityOf(path: string): string {
  try {
    const entry = statSync(path, { bigint: true, throwIfNoEntry: false });
    return entry ? `${entry.dev}/${entry.ino}` : GONE;
  } catch {
    return UNSEEN; // for example, a folder without access permission
  }
}

function away(path: string): StoreError {
  return new StoreError(
    "STORE_FAILED",
    `The data folder ${path} cannot be found: it was moved or removed, or its disk is away. ` +
      "Nothing is stored until it is back in its place.",
  );
}

function lost(path: string): StoreError {
  return new StoreError(
    "STORE_LOCKED",
    `Files of the data folder ${path} were removed or replaced while the gateway ran, so another gateway may use it. ` +
      "This one stops. Check the content of the folder, and start one gateway on it.",
  );
}

function lockedBy(pid: string | undefined, path: string, cause: Error): StoreError {
  return new StoreError(
    "STORE_LOCKED",
    `Another gateway${pid === undefined ? "" : ` (process ${pid})`} uses the data folder ${path}. ` +
      "Stop it first, or choose another data folder.",
    { cause },
  );
}

/** Returns the owner's process id. It may not have been written yet. */
function readOwner(file: string): string | undefined {
  try {
    return /^\d+/.exec(readFileSync(file, "utf8"))?.[0];
  } catch {
    return undefined; // Only a hint; the lock itself decides.
  }
}
