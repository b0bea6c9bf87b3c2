import { readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { type Clock, createSystemClock, StoreError } from "@holdpoint/engine";

import type { DataDir } from "./data-dir.ts";
import { storeFailed } from "./database.ts";

const SQLITE_BUSY = 5;
/** How often a gateway that writes nothing looks whether the folder is still its own. */
const LOOK_MS = 1000;

/** What becomes of a data folder while it is used. */
export interface FolderEvents {
  /** Tells a person a sentence: nothing can be stored, or it can again. */
  readonly onProblem?: (problem: string) => void;
  /** The folder is not this process's any more, which has to end. Nothing is written from now on. */
  readonly onLost?: (error: StoreError) => void;
}

/** The right to write in a data folder. */
export interface WriterLock extends Disposable {
  /** Throws `StoreError` while the folder is away, and for good once its files are others than those that were locked. */
  assertHeld(): void;
  /** What `assertHeld` threw last, and `events` were told of; undefined once the folder is back. */
  readonly trouble: StoreError | undefined;
}

/**
 * Makes this process the only one that uses the data folder, until the result is disposed or the process dies in any way:
 * the lock is the operating system's, taken by SQLite on a file of its own. Nothing else may open that file, since
 * closing it would drop the lock of the whole process; so the owner's id stands in a second file.
 *
 * The lock is on a file, and not on its name: somebody may remove the file or move the folder, and another process can then
 * lock what is there. So folder, lock and database are compared with those that were locked, before each commit and once a
 * second.
 *
 * Throws `STORE_LOCKED` at once when another has it.
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
  /** The folder first, then its files; the identity of each. */
  readonly #own: ReadonlyMap<string, string>;
  #trouble: StoreError | undefined;
  #isLost = false;
  #timer: Disposable;

  constructor({ path, lock, database }: DataDir, parts: HeldParts) {
    this.#path = path;
    this.#parts = parts;
    const found = [path, lock, database].map((file) => [file, identityOf(file)] as const);
    // A gateway whose store is somewhere else has no database here.
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
        // `events` have told it.
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

/** Names a file for as long as it is there, whatever it is called. */
function identityOf(path: string): string {
  try {
    const entry = statSync(path, { bigint: true, throwIfNoEntry: false });
    return entry ? `${entry.dev}/${entry.ino}` : GONE;
  } catch {
    return UNSEEN; // such as a folder that may not be entered now
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
      "This one stops. Look what is in the folder, and start one gateway on it.",
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

/** The winner may not have written its id yet. */
function readOwner(file: string): string | undefined {
  try {
    return /^\d+/.exec(readFileSync(file, "utf8"))?.[0];
  } catch {
    return undefined; // Only a hint: the lock itself decides.
  }
}
