import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { endianness } from "node:os";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The smallest unit that a disk writes atomically; larger writes are multiples of it. */
const SECTOR_BYTES = 512;
/** The lowest bit of the magic number is the byte order of the checksums. */
const MAGIC = 0x377f_0682;

type Sum = readonly [number, number];

/** The state of a write-ahead log. */
export interface WalScan {
  readonly bytes: number;
  /** Commits that SQLite will find. */
  readonly commits: number;
  /**
   * Commits after the place where SQLite stops reading because of damage. Each commit is on disk before the next one
   * starts, so a crash damages at most the last one, and all others were acknowledged.
   */
  readonly lostCommits: number;
}

/** Reads the write-ahead log of a database like SQLite does, and also the part that SQLite ignores. Changes nothing. */
export function scanWal(database: string): WalScan {
  const bytes = readIfThere(`${database}-wal`);
  const none = { bytes: bytes.length, commits: 0, lostCommits: 0 };
  if (bytes.length < HEADER_BYTES + FRAME_HEADER_BYTES) return none;
  const frames = new Frames(bytes);
  if (!frames.isReadable) return none;
  let commits = 0;
  let place = 0;
  let sum: Sum | undefined = frames.headerSum;
  for (; sum && place < frames.count; place += 1) {
    sum = frames.sumOf(place, sum);
    if (!sum) break;
    if (frames.isCommit(place)) commits += 1;
  }
  const isHeaderTorn = frames.headerSum === undefined && existsSync(database);
  const isBegunAnew = isHeaderTorn && isCopied(frames, database);
  const lostCommits = isBegunAnew ? 0 : countBehind(frames, place);
  return { bytes: bytes.length, commits, lostCommits };
}

/** Returns a page's newest committed version in the log; `undefined` if it has none. */
export function newestPage(database: string, number: number): Buffer | undefined {
  const bytes = readIfThere(`${database}-wal`);
  if (bytes.length < HEADER_BYTES + FRAME_HEADER_BYTES) return undefined;
  const frames = new Frames(bytes);
  let sum = frames.isReadable ? frames.headerSum : undefined;
  let written: Uint8Array | undefined;
  let committed: Uint8Array | undefined;
  for (let place = 0; sum && place < frames.count; place += 1) {
    sum = frames.sumOf(place, sum);
    if (!sum) break;
    if (frames.pageNumber(place) === number) written = frames.page(place);
    if (frames.isCommit(place)) committed = written;
  }
  return committed && Buffer.from(committed);
}

/**
 * True when the database contains the newest version of every page in the log. Only then does SQLite restart a log,
 * beginning with the header, so if the power fails at that moment, the header is torn but nothing is lost.
 */
function isCopied(frames: Frames, database: string): boolean {
  const newest = new Map<number, Uint8Array>();
  let uncommitted = new Map<number, Uint8Array>();
  let pageCount = 0;
  for (let place = 0; place < frames.count && frames.isOfThisLog(place); place += 1) {
    uncommitted.set(frames.pageNumber(place), frames.page(place));
    if (!frames.isCommit(place)) continue;
    pageCount = frames.pageCount(place);
    for (const [number, page] of uncommitted) newest.set(number, page);
    uncommitted = new Map();
  }
  const file = openSync(database, "r");
  try {
    return [...newest].every(([number, page]) => {
      const stored = Buffer.alloc(page.length);
      const bytesRead = readSync(file, stored, 0, page.length, (number - 1) * page.length);
      return number > pageCount || (bytesRead === page.length && stored.equals(page));
    });
  } finally {
    closeSync(file);
  }
}

/** Counts the commits from a place on, if at least one of them was followed by another transaction. */
function countBehind(frames: Frames, from: number): number {
  let commits = 0;
  let isFollowed = false;
  for (let place = from; place < frames.count; place += 1) {
    if (!frames.isOfThisLog(place)) continue;
    const before =
      place > from && frames.isOfThisLog(place - 1) ? frames.storedSum(place - 1) : undefined;
    const isWhole = before !== undefined && frames.sumOf(place, before) !== undefined;
    if (isWhole && frames.isSurelyCommit(place - 1)) isFollowed = true;
    if (frames.isSurelyCommit(place)) commits += 1;
  }
  return isFollowed ? commits : 0;
}

class Frames {
  readonly count: number;
  readonly isReadable: boolean;
  /** `undefined` when the header is damaged. */
  readonly headerSum: Sum | undefined;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #words: Uint32Array;
  readonly #frameBytes: number;
  readonly #salts: Sum;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const magic = this.#view.getUint32(0);
    const pageBytes = this.#view.getUint32(8);
    this.isReadable = (magic | 1) === (MAGIC | 1) && pageBytes >= 512 && pageBytes <= 65_536;
    this.#frameBytes = FRAME_HEADER_BYTES + pageBytes;
    this.count = Math.floor((bytes.length - HEADER_BYTES) / this.#frameBytes);
    this.#words = toWords(bytes, (magic & 1) === 1);
    const sum = this.#sum([0, 0], 0, 24);
    this.headerSum = isSame(sum, this.#pair(24)) ? sum : undefined;
    this.#salts = this.#pair(this.headerSum ? 16 : HEADER_BYTES + 8);
  }

  /** The checksum of the frame after one with the given checksum; `undefined` when the frame is not as written. */
  sumOf(place: number, before: Sum): Sum | undefined {
    if (!this.isOfThisLog(place)) return undefined;
    const start = this.#startOf(place);
    const head = this.#sum(before, start, 8);
    const sum = this.#sum(head, start + FRAME_HEADER_BYTES, this.#frameBytes - FRAME_HEADER_BYTES);
    return isSame(sum, this.storedSum(place)) ? sum : undefined;
  }

  storedSum(place: number): Sum {
    return this.#pair(this.#startOf(place) + 16);
  }

  /** Frames of an earlier run of the log have other salts. */
  isOfThisLog(place: number): boolean {
    return isSame(this.#pair(this.#startOf(place) + 8), this.#salts);
  }

  isCommit(place: number): boolean {
    return this.pageCount(place) !== 0;
  }

  /**
   * True for a frame that is certainly a commit. If a sector ends between the frame's size and salts, the size may be
   * an earlier log's, so it only counts if the frame is intact.
   */
  isSurelyCommit(place: number): boolean {
    if (!this.isCommit(place)) return false;
    const isSplit = (this.#startOf(place) + 8) % SECTOR_BYTES === 0;
    if (!isSplit) return true;
    const before = place === 0 ? this.headerSum : this.storedSum(place - 1);
    return before !== undefined && this.sumOf(place, before) !== undefined;
  }

  /** The database's page count after a commit; 0 in a frame that is not a commit. */
  pageCount(place: number): number {
    return this.#view.getUint32(this.#startOf(place) + 4);
  }

  pageNumber(place: number): number {
    return this.#view.getUint32(this.#startOf(place));
  }

  page(place: number): Uint8Array {
    const start = this.#startOf(place) + FRAME_HEADER_BYTES;
    return this.#bytes.subarray(start, start + this.#frameBytes - FRAME_HEADER_BYTES);
  }

  #startOf(place: number): number {
    return HEADER_BYTES + place * this.#frameBytes;
  }

  #pair(offset: number): Sum {
    return [this.#view.getUint32(offset), this.#view.getUint32(offset + 4)];
  }

  #sum([first, second]: Sum, offset: number, length: number): Sum {
    const words = this.#words;
    let s1 = first;
    let s2 = second;
    for (let word = offset / 4; word < (offset + length) / 4; word += 2) {
      s1 = (s1 + (words[word] ?? 0) + s2) >>> 0;
      s2 = (s2 + (words[word + 1] ?? 0) + s1) >>> 0;
    }
    return [s1, s2];
  }
}

function isSame([one, two]: Sum, [three, four]: Sum): boolean {
  return one === three && two === four;
}

function toWords(bytes: Uint8Array, isBigEndian: boolean): Uint32Array {
  const copy = Uint8Array.from(bytes.subarray(0, bytes.length - (bytes.length % 4)));
  if (isBigEndian !== (endianness() === "BE")) Buffer.from(copy.buffer).swap32();
  return new Uint32Array(copy.buffer);
}

function readIfThere(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array();
  }
}
