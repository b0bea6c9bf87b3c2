import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";

import { type Clock, StoreError } from "@holdpoint/engine";

import { countEntries, readHistory, renewEpoch, takeHistory } from "./history.ts";
import { syncFolder } from "./sync-folder.ts";

/** At most one mark in this time, because marking each commit would slow commits down with a second file. */
const MARK_INTERVAL_MS = 1000;
/** The file has two marks, each in its own sector, so that a torn one leaves the previous one intact. */
const SLOT_BYTES = 512;

/** The position of a history, as recorded in the file next to the database. */
export interface Mark {
  readonly epoch: string;
  readonly generation: number;
  /** Entries of all logs. */
  readonly entries: number;
  /** True if the store was closed properly after this mark. */
  readonly isClosed: boolean;
  /** Counts the marks. The newer of the two has the higher number. */
  readonly turn: number;
}

export interface HistoryMarkerOptions {
  readonly database: DatabaseSync;
  /** The file next to the database. */
  readonly path: string;
  readonly clock: Clock;
  /** The file's mark when the store was opened. */
  readonly mark: Mark | undefined;
  /** True if a part of the history is lost, so that the rest is a new history. */
  readonly isLossAccepted: boolean;
  /** Makes a commit that includes a mark. */
  readonly commit: () => Promise<void>;
}

/**
 * Records the position of the history next to the database, so that the next start can detect that a part is missing.
 *
 * A counter in the database (`generation`) is incremented by the first commit of each second and again, a second later,
 * after the last one. The file then repeats it, with the number of entries in all logs. So if the file is ahead of the
 * database, the database has lost commits. The file is written to disk after the database, so that it is never ahead
 * for another reason, even after a power loss. A file that lags behind is harmless.
 *
 * Not detected: a copy of the whole folder including the file, and the loss of only those commits made in the last
 * second before a crash.
 */
export class HistoryMarker implements Disposable {
  readonly epoch: string;
  readonly #options: HistoryMarkerOptions;
  readonly #isOwn: StatementSync;
  readonly #setGeneration: StatementSync;
  readonly #file: number;
  #generation: number;
  #entries: number;
  #turn: number;
  /** The values after the current commit. */
  #next: { readonly generation: number; readonly entries: number };
  #markedAtMs = Number.NEGATIVE_INFINITY;
  #isBehind = false;
  #timer: Disposable | undefined;

  constructor(options: HistoryMarkerOptions) {
    const { database, path, mark, isLossAccepted } = options;
    const known = readHistory(database);
    const isTrusted =
      !isLossAccepted && mark?.epoch === known.epoch && mark.generation <= known.generation;
    const isExact = isTrusted && mark.isClosed && mark.generation === known.generation;
    const { epoch, generation } = isTrusted ? takeHistory(database) : renewEpoch(database);
    this.epoch = epoch;
    this.#options = options;
    this.#isOwn = database.prepare("SELECT 1 FROM history WHERE epoch = ? AND generation = ?");
    this.#setGeneration = database.prepare("UPDATE history SET generation = ?");
    this.#generation = generation;
    this.#entries = isExact ? mark.entries : countEntries(database);
    this.#next = { generation, entries: this.#entries };
    this.#turn = mark?.turn ?? 0;
    this.#file = openSync(path, "r+");
    this.#write({ isClosed: false });
    fsyncSync(this.#file);
    syncFolder(dirname(path));
  }

  /**
   * Call in each transaction before its commit, with the change in the number of entries. Throws `STORE_LOCKED` when
   * another process has taken over the history, even if the lock is still held.
   */
  beforeCommit(entries: number): void {
    this.#assertOwn();
    const isDue = this.#options.clock.monotonic() - this.#markedAtMs >= MARK_INTERVAL_MS;
    const generation = this.#generation + Number(isDue);
    if (isDue) this.#setGeneration.run(generation);
    this.#next = { generation, entries: this.#entries + entries };
  }

  /** Call after each commit. Never throws. */
  committed(): void {
    const { generation, entries } = this.#next;
    const isMarked = generation !== this.#generation;
    this.#generation = generation;
    this.#entries = entries;
    this.#isBehind = !isMarked;
    if (isMarked) {
      this.#markedAtMs = this.#options.clock.monotonic();
      this.#write({ isClosed: false });
    }
    this.#timer ??= this.#options.clock.after(MARK_INTERVAL_MS, () => void this.#catchUp());
  }

  /** Writes a final mark. The database must be open. */
  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    try {
      this.#assertOwn();
      if (this.#isBehind) this.#setGeneration.run(++this.#generation);
      this.#write({ isClosed: true });
      fsyncSync(this.#file);
    } catch {
      // The commits themselves are safe. An older mark only detects less.
    } finally {
      closeSync(this.#file);
    }
  }

  #assertOwn(): void {
    if (this.#isOwn.get(this.epoch, this.#generation)) return;
    throw new StoreError(
      "STORE_LOCKED",
      `Another gateway writes to the database next to ${this.#options.path}. This one stops, so that only one answers.`,
    );
  }

  async #catchUp(): Promise<void> {
    try {
      if (this.#isBehind) await this.#options.commit();
      fdatasyncSync(this.#file);
    } catch {
      // The store is busy, full or closed. The next commit tries again.
    } finally {
      this.#timer = undefined;
    }
  }

  #write({ isClosed }: Pick<Mark, "isClosed">): void {
    const { epoch } = this;
    const turn = this.#turn + 1;
    const mark = { epoch, generation: this.#generation, entries: this.#entries, isClosed, turn };
    try {
      writeSync(this.#file, toSlot(mark), (turn % 2) * SLOT_BYTES);
      this.#turn = turn;
    } catch {
      // The disk is full or gone, which the next commit reports.
    }
  }
}

/** Returns the newest mark of a file; `undefined` if there is none. */
export function readMark(path: string): Mark | undefined {
  const text = readFileSync(path, "latin1");
  const slots = [text.slice(0, SLOT_BYTES), text.slice(SLOT_BYTES)].map(parseSlot);
  return slots
    .filter((mark) => mark !== undefined)
    .toSorted((one, other) => other.turn - one.turn)[0];
}

function toSlot({ epoch, generation, entries, isClosed, turn }: Mark): string {
  const facts = [epoch, generation, entries, isClosed ? "closed" : "open", turn].join(" ");
  return `${facts} ${crc32(facts)}\n`.padEnd(SLOT_BYTES, "\n");
}

function parseSlot(text: string): Mark | undefined {
  const [facts = "", epoch = "", generation, entries, state, turn, sum] =
    /^([0-9a-f]{32}) (\d+) (\d+) (open|closed) (\d+) (\d+)\n/.exec(text) ?? [];
  const isWhole = crc32(facts.slice(0, facts.lastIndexOf(" "))) === Number(sum);
  if (!isWhole) return undefined;
  return {
    epoch,
    generation: Number(generation),
    entries: Number(entries),
    isClosed: state === "closed",
    turn: Number(turn),
  };
}
