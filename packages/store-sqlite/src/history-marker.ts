import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";

import type { Clock } from "@holdpoint/engine";

interface History {
  readonly epoch: string;
  readonly generation: number;
}

/** A mark with each commit would make commits a sixth slower: a second file would change with each. */
const MARK_DELAY_MS = 1000;

/**
 * Notices that the database was replaced by an older copy of itself.
 *
 * Soon after commits, and on closing, a counter in the database (`generation`) goes up and a small file beside it repeats
 * it. A file that is ahead of the database, of another epoch, or missing means that the log may have lost events that a
 * client has seen: the history gets a new epoch. A file that lags behind is harmless.
 *
 * Not noticed: a copy of the whole folder, the file included; and the loss of nothing but the last second before a crash.
 */
export class HistoryMarker implements Disposable {
  readonly epoch: string;
  readonly #clock: Clock;
  readonly #countUp: StatementSync;
  readonly #file: number;
  #timer: Disposable | undefined;

  private constructor(database: DatabaseSync, file: number, clock: Clock) {
    const history = readHistory(database);
    this.epoch = history.epoch;
    this.#clock = clock;
    this.#countUp = database.prepare(`
      UPDATE history SET generation = generation + 1 RETURNING generation`);
    this.#file = file;
    writeMarker(file, history);
  }

  static open(database: DatabaseSync, path: string, clock: Clock): HistoryMarker {
    const known = readHistory(database);
    const marked = parseMarker(readFileSync(path, "utf8"));
    const isTrusted = marked?.epoch === known.epoch && marked.generation <= known.generation;
    if (!isTrusted) renewEpoch(database);
    return new HistoryMarker(database, openSync(path, "r+"), clock);
  }

  /** To be called after each commit. Never throws. */
  noteCommit(): void {
    this.#timer ??= this.#clock.after(MARK_DELAY_MS, () => this.#mark());
  }

  #mark(): void {
    this.#timer = undefined;
    try {
      const { generation } = this.#countUp.get() as unknown as History;
      writeMarker(this.#file, { epoch: this.epoch, generation });
    } catch {
      // The commit itself is safe. A marker that lags behind only notices less.
    }
  }

  /** Writes a mark that is still due. The database must be open. */
  [Symbol.dispose](): void {
    if (this.#timer) {
      this.#timer[Symbol.dispose]();
      this.#mark();
    }
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

/** Always of the same length, so that one write replaces it in place. */
function writeMarker(file: number, { epoch, generation }: History): void {
  writeSync(file, `${epoch} ${String(generation).padStart(16, "0")}\n`, 0);
}

function parseMarker(text: string): History | undefined {
  const match = /^([0-9a-f]{32}) (\d{16})\n$/.exec(text);
  return match?.[1] === undefined ? undefined : { epoch: match[1], generation: Number(match[2]) };
}
