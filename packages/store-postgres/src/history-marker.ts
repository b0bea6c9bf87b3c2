import { readFileSync, renameSync, writeFileSync } from "node:fs";

import type { Clock } from "@holdpoint/engine";

const MARK_INTERVAL_MS = 1000;

/** How far the history had come, as the file in the data folder says. */
export interface Mark {
  readonly epoch: string;
  readonly generation: number;
}

/**
 * Keeps in the data folder how far the history in the database has come, so that the next start can tell when the database was
 * put back to an older copy. It is written at most once a second, and only after the database: it is never ahead by itself.
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

  /** To be called after each write. Never throws. */
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
      // The disk is full: a mark that lags behind only notices less.
    }
  }

  #write(): void {
    const mark: Mark = { epoch: this.#epoch, generation: this.#generation };
    const next = `${this.#path}.next`;
    writeFileSync(next, `${JSON.stringify(mark)}\n`, { mode: 0o600, flush: true });
    renameSync(next, this.#path);
  }
}

/** `undefined` where there is none, or none that can be read. */
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
