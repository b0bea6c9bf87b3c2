import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";

import type { CommitWitness } from "./group-commit.ts";

interface History {
  readonly epoch: string;
  readonly generation: number;
}

/**
 * Notices that the database was replaced by an older copy of itself.
 *
 * The database counts its commits (`generation`); a small file beside it repeats the count after each commit. A file
 * that is ahead of the database, or of another epoch, or lost, means that the log may have lost events that somebody
 * has seen: the history gets a new epoch. The file may lag behind (it is not forced to disk), which is harmless.
 * A copy of the whole folder, the file included, cannot be noticed.
 */
export class HistoryMarker implements CommitWitness, Disposable {
  readonly epoch: string;
  readonly #countUp: StatementSync;
  #generation: number;
  readonly #file: number;

  private constructor(database: DatabaseSync, file: number) {
    const { epoch, generation } = readHistory(database);
    this.#countUp = database.prepare("UPDATE history SET generation = generation + 1");
    this.epoch = epoch;
    this.#generation = generation;
    this.#file = file;
    this.#write();
  }

  static open(database: DatabaseSync, path: string): HistoryMarker {
    const known = readHistory(database);
    const marked = parseMarker(readFileSync(path, "utf8"));
    const isTrusted = marked?.epoch === known.epoch && marked.generation <= known.generation;
    if (!isTrusted) renewEpoch(database);
    return new HistoryMarker(database, openSync(path, "r+"));
  }

  beforeCommit(): void {
    this.#countUp.run();
  }

  afterCommit(): void {
    this.#generation += 1;
    this.#write();
  }

  #write(): void {
    try {
      writeSync(this.#file, formatMarker({ epoch: this.epoch, generation: this.#generation }), 0);
    } catch {
      // What was committed stays committed; a marker that lags behind only notices less.
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

function readHistory(database: DatabaseSync): History {
  const { epoch, generation } = database
    .prepare("SELECT epoch, generation FROM history")
    .get() as unknown as History;
  return { epoch, generation };
}

function renewEpoch(database: DatabaseSync): void {
  database.exec(
    "UPDATE history SET epoch = lower(hex(randomblob(16))), generation = generation + 1",
  );
}

/** Of one length always, so that it is replaced by one write in place. */
function formatMarker({ epoch, generation }: History): string {
  return `${epoch} ${String(generation).padStart(16, "0")}\n`;
}

function parseMarker(text: string): History | undefined {
  const match = /^([0-9a-f]{32}) (\d{16})\n$/.exec(text);
  return match?.[1] === undefined ? undefined : { epoch: match[1], generation: Number(match[2]) };
}
