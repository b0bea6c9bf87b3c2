import { readFileSync, renameSync, writeFileSync } from "node:fs";

import type { Clock } from "@holdpoint/engine";

const MARK_INTERVAL_MS = 1000;

/** The position of the history, as recorded in the data folder. */
export interface Mark {
  readonly epoch: string;
  readonly generation: number;
}

/**
 * Records the position of the database's history in the data folder, so that the next start can detect that the
 * database was restored from an older copy. It is written at most once a second, and only after the database, so that
 * it is never ahead for another reason.
 */
export class HistoryMarker implements Disposable {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #epoch: string;
  #generation: number;
  #timer: Disposable | undefined;

  constructor(path: string, clock: Clock, { epoch, generation }: Mark) {
    this.#path = path;
    this.#clock = clock;
    this.#epoch = epoch;
    this.#generation = generation;
    this.#write();
  }

  /** Call after each write. Never throws. */
  written(generation: number): void {
    this.#generation = generation;
    this.#timer ??= this.#clock.after(MARK_INTERVAL_MS, () => {
      this.#timer = undefined;
      this.#tryToWrite();
    });
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#tryToWrite();
  }

  #tryToWrite(): void {
    try {
      this.#write();
    } catch {
      // The disk is full. An older mark only detects less.
    }
  }

  #write(): void {
    const mark: Mark = { epoch: this.#epoch, generation: this.#generation };
    const next = `${this.#path}.next`;
    writeFileSync(next, `${JSON.stringify(mark)}\n`, { mode: 0o600, flush: true });
    renameSync(next, this.#path);
  }
}

/** Returns `undefined` without a readable mark. */
export function readMark(path: string): Mark | undefined {
  try {
    const { epoch, generation } = JSON.parse(readFileSync(path, "utf8")) as Partial<Mark>;
    return typeof epoch === "string" && typeof generation === "number"
      ? { epoch, generation }
      : undefined;
  } catch {
    return undefined;
  }
}
