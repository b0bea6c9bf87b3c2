import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";

import { type Clock, StoreError } from "@holdpoint/engine";

import { countEntries, readHistory, renewEpoch, takeHistory } from "./history.ts";
import { syncFolder } from "./sync-folder.ts";

/** A mark with each commit would make commits slower: a second file would change with each. */
const MARK_INTERVAL_MS = 1000;
/** Two marks stand in the file, each in a sector of its own, so that one that is torn leaves the one before. */
const SLOT_BYTES = 512;

/** How far a history had come, as the file beside the database says. */
export interface Mark {
  readonly epoch: string;
  readonly generation: number;
  /** Entries of all logs; unknown where an earlier version has written the mark. */
  readonly entries?: number;
  /** The store was closed in order: nothing came after this mark. */
  readonly isClosed: boolean;
  /** Which of the two marks is the newer one. */
  readonly turn: number;
}

export interface HistoryMarkerOptions {
  readonly database: DatabaseSync;
  /** The file beside the database. */
  readonly path: string;
  readonly clock: Clock;
  /** What the file said when the store was opened. */
  readonly mark: Mark | undefined;
  /** A part of the history is lost: what is there is another history from now on. */
  readonly isLossAccepted: boolean;
  /** Makes a commit, so that a mark can go along with it. */
  readonly commit: () => Promise<void>;
}

/**
 * Keeps beside the database how far its history has come, so that the next start can tell when a part of it is gone.
 *
 * A counter in the database (`generation`) goes up with the first commit of each second and, a second later, after the
 * last one; it is part of such a commit. Then the file repeats it, with the number of entries in all logs. So a file that is
 * ahead of the database means that the database has lost what was committed. It is written to the disk after the database
 * is: also after a power loss it is never ahead by itself. A file that lags behind is harmless.
 *
 * Not noticed: a copy of the whole folder, the file included; and the loss of nothing but commits of the last second
 * before a crash.
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
  /** What the commit that is under way makes of them. */
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
    this.#entries = (isExact ? mark.entries : undefined) ?? countEntries(database);
    this.#next = { generation, entries: this.#entries };
    this.#turn = mark?.turn ?? 0;
    this.#file = openSync(path, "r+");
    this.#write({ isClosed: false });
    fsyncSync(this.#file);
    syncFolder(dirname(path));
  }

  /**
   * To be called in each transaction before its commit, with the change of the number of entries. Throws `STORE_LOCKED` when
   * another process has taken the history, whatever became of the lock.
   */
  beforeCommit(entries: number): void {
    this.#assertOwn();
    const isDue = this.#options.clock.monotonic() - this.#markedAtMs >= MARK_INTERVAL_MS;
    const generation = this.#generation + Number(isDue);
    if (isDue) this.#setGeneration.run(generation);
    this.#next = { generation, entries: this.#entries + entries };
  }

  /** To be called after each commit. Never throws. */
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

  /** Writes a last mark. The database must be open. */
  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    try {
      this.#assertOwn();
      if (this.#isBehind) this.#setGeneration.run(++this.#generation);
      this.#write({ isClosed: true });
      fsyncSync(this.#file);
    } catch {
      // The commits themselves are safe. A mark that lags behind only notices less.
    } finally {
      closeSync(this.#file);
    }
  }

  #assertOwn(): void {
    if (this.#isOwn.get(this.epoch, this.#generation)) return;
    throw new StoreError(
      "STORE_LOCKED",
      `Another gateway writes to the database beside ${this.#options.path}. This one stops, so that only one answers.`,
    );
  }

  async #catchUp(): Promise<void> {
    try {
      if (this.#isBehind) await this.#options.commit();
      fdatasyncSync(this.#file);
    } catch {
      // The store is busy, full or closed: the next commit tries again.
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
      // The disk is full or gone, which the next commit will say.
    }
  }
}

/** The newest mark of a file; `undefined` when it has none. */
export function readMark(path: string): Mark | undefined {
  const text = readFileSync(path, "latin1");
  const slots = [text.slice(0, SLOT_BYTES), text.slice(SLOT_BYTES)].map(parseSlot);
  return slots
    .filter((mark) => mark !== undefined)
    .toSorted((one, other) => other.turn - one.turn)[0];
}

function toSlot({ epoch, generation, entries = 0, isClosed, turn }: Mark): string {
  const facts = [epoch, generation, entries, isClosed ? "closed" : "open", turn].join(" ");
  return `${facts} ${crc32(facts)}\n`.padEnd(SLOT_BYTES, "\n");
}

function parseSlot(text: string): Mark | undefined {
  const [facts = "", epoch = "", generation, entries, state, turn, sum] =
    /^([0-9a-f]{32}) (\d+) (\d+) (open|closed) (\d+) (\d+)\n/.exec(text) ?? [];
  if (sum !== undefined) {
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
  // Of a version before this one.
  const old = /^([0-9a-f]{32}) (\d{16})\n/.exec(text);
  return old?.[1] === undefined
    ? undefined
    : { epoch: old[1], generation: Number(old[2]), isClosed: false, turn: 0 };
}
