import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SECTOR_BYTES = 512;
const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const WAL = "holdpoint.db-wal";
const DATABASE = "holdpoint.db";
/** Files that are recreated at each start, or that contain no data. */
const LEFT_OUT = /-shm$|^writer\./u;

type Files = ReadonlyMap<string, Buffer>;

/** Changes that a disk may carry out in any order, each sector independently, until the next sync. */
interface Batch {
  readonly file: string;
  readonly after: Buffer;
}

/**
 * The writes of a disk from one acknowledgement to the next: a batch is on the disk completely before the next one
 * begins.
 */
interface Step {
  readonly batches: readonly Batch[];
  /**
   * False when the log was restarted after commits that were not recorded, so that the disk's contents in between are
   * unknown.
   */
  readonly isKnown: boolean;
  /** The number of lines that the process had printed at the end of the step. */
  readonly acknowledged: number;
}

/** Random numbers in [0, 1). */
type Random = () => number;

/**
 * The files of a store after each acknowledgement. They determine the possible states of a disk after a power failure
 * at any moment.
 *
 * It relies on SQLite's own order: SQLite syncs the log at each commit if `synchronous` is FULL (2), copies the log
 * to the database only after that, and restarts the log only when the database is synced: first its header, which it
 * syncs.
 */
export class DiskJournal {
  readonly #folder: string;
  readonly #syncsCommits: boolean;
  readonly #first: Files;
  readonly #steps: Step[] = [];
  #last: Files;

  constructor(folder: string, { synchronous }: { readonly synchronous: number }) {
    this.#folder = folder;
    this.#syncsCommits = synchronous >= 2;
    this.#first = readFiles(folder);
    this.#last = this.#first;
  }

  get steps(): number {
    return this.#steps.length;
  }

  /** Call it while nothing is being written. */
  record(acknowledged: number): void {
    const files = readFiles(this.#folder);
    const isKnown = isRecorded(this.#last, files);
    this.#steps.push({ batches: batchesBetween(this.#last, files), isKnown, acknowledged });
    this.#last = files;
  }

  /**
   * Writes the possible contents of the disk after a power failure during the step into the folder. Returns the
   * number of lines acknowledged until then, and the number of sectors torn off the data being written.
   */
  loseDuring(step: number, folder: string, random: Random): { acknowledged: number; torn: number } {
    const durable = new Map(this.#first);
    let unsynced = new Map<string, Buffer>();
    for (const { batches } of this.#steps.slice(0, step)) {
      for (const { file, after } of batches) {
        const isUnsynced =
          file === WAL && !this.#syncsCommits && isAppended(durable.get(file), after);
        if (isUnsynced) unsynced.set(file, after);
        else {
          unsynced = new Map();
          durable.set(file, after);
        }
      }
    }
    const { batches, isKnown } = this.#steps[step]!;
    if (!isKnown) {
      writeFiles(folder, durable);
      return { acknowledged: this.#steps[step - 1]?.acknowledged ?? 0, torn: 0 };
    }
    const under = Math.floor(random() * (batches.length + 1));
    for (const { file, after } of batches.slice(0, under)) {
      if (this.#syncsCommits || file !== WAL) durable.set(file, after);
    }
    const batch = batches[under];
    let torn = 0;
    if (batch) {
      const { file, after } = batch;
      const mixed = tear(durable.get(file) ?? Buffer.alloc(0), after, random);
      durable.set(file, mixed.bytes);
      ({ torn } = mixed);
    }
    writeFiles(folder, durable);
    return { acknowledged: this.#steps[step - 1]?.acknowledged ?? 0, torn };
  }
}

function readFiles(folder: string): Files {
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !LEFT_OUT.test(entry.name),
  );
  return new Map(names.map(({ name }) => [name, readFileSync(join(folder, name))]));
}

function writeFiles(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes, { mode: 0o600 });
}

function batchesBetween(before: Files, after: Files): Batch[] {
  const log = after.get(WAL) ?? Buffer.alloc(0);
  const earlier = before.get(WAL);
  const isOneLog = isAppended(earlier, log);
  const changed = [...after].flatMap(([file, bytes]) => {
    if (before.get(file)?.equals(bytes)) return [];
    if (file !== WAL) return [{ file, after: bytes }];
    if (isOneLog || !earlier) return commitsOf(earlier ?? Buffer.alloc(0), bytes);
    const header = bytes.subarray(0, WAL_HEADER_BYTES);
    const begun = Buffer.concat([header, earlier.subarray(WAL_HEADER_BYTES)]);
    return [{ file, after: begun }, ...commitsOf(begun, bytes)];
  });
  const order = isOneLog ? [WAL, DATABASE] : [DATABASE, WAL];
  return changed.toSorted((one, other) => rank(order, one) - rank(order, other));
}

/**
 * Whether the last recorded log was complete when it was restarted: SQLite does so only when the database has every
 * page of the log.
 */
function isRecorded(before: Files, after: Files): boolean {
  const log = before.get(WAL);
  if (!log || isAppended(log, after.get(WAL) ?? Buffer.alloc(0))) return true;
  const pageBytes = log.readUInt32BE(8);
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  const newest = new Map<number, Buffer>();
  for (let end = WAL_HEADER_BYTES + frameBytes; end <= log.length; end += frameBytes) {
    const frame = log.subarray(end - frameBytes, end);
    if (!frame.subarray(8, 16).equals(log.subarray(16, 24))) break;
    newest.set(frame.readUInt32BE(0), frame.subarray(FRAME_HEADER_BYTES));
  }
  const database = after.get(DATABASE) ?? Buffer.alloc(0);
  return [...newest].every(([number, page]) => {
    const start = (number - 1) * pageBytes;
    return start >= database.length || database.subarray(start, start + pageBytes).equals(page);
  });
}

/**
 * The log after each of its new commits: each is synced before the next one is written. A frame has a header of 24
 * bytes, with the size of the database in a commit's last frame, and the salts of its log
 * (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
 */
function commitsOf(before: Buffer, log: Buffer): Batch[] {
  const commits: Batch[] = [];
  const frameBytes = FRAME_HEADER_BYTES + (log.length < WAL_HEADER_BYTES ? 0 : log.readUInt32BE(8));
  const salts = log.subarray(16, 24);
  for (let end = WAL_HEADER_BYTES + frameBytes; end <= log.length; end += frameBytes) {
    const frame = log.subarray(end - frameBytes, end);
    if (!frame.subarray(8, 16).equals(salts)) break;
    const isCommit = frame.readUInt32BE(4) !== 0;
    if (isCommit && !frame.equals(before.subarray(end - frameBytes, end))) {
      commits.push({
        file: WAL,
        after: Buffer.concat([log.subarray(0, end), before.subarray(end)]),
      });
    }
  }
  // The last commit with the bytes after it, which belong to an earlier log or to a commit being written.
  return [...commits.slice(0, -1), { file: WAL, after: log }];
}

function rank(order: readonly string[], { file }: Batch): number {
  const place = order.indexOf(file);
  return place < 0 ? order.length : place;
}

/** Whether the log was continued, and not restarted. */
function isAppended(before: Buffer | undefined, after: Buffer): boolean {
  if (!before || before.length === 0) return true;
  const header = before.subarray(0, WAL_HEADER_BYTES);
  return after.length >= before.length && after.subarray(0, WAL_HEADER_BYTES).equals(header);
}

/** Some sectors are written and some are not, one of them only partly; the file may be longer than the written data. */
function tear(before: Buffer, after: Buffer, random: Random): { bytes: Buffer; torn: number } {
  const hasGrown = after.length > before.length && random() < 0.5;
  const length = hasGrown ? after.length : Math.max(before.length, after.length);
  const bytes = Buffer.alloc(length);
  before.copy(bytes);
  const share = random();
  let torn = 0;
  let end = before.length;
  for (let start = 0; start < after.length; start += SECTOR_BYTES) {
    const stop = Math.min(start + SECTOR_BYTES, after.length);
    const isSame =
      stop <= before.length && after.subarray(start, stop).equals(before.subarray(start, stop));
    if (isSame) continue;
    if (random() < share) {
      const isWhole = random() < 0.9;
      const until = isWhole ? stop : start + Math.floor(random() * (stop - start));
      after.copy(bytes, start, start, until);
      end = Math.max(end, until);
    } else torn += 1;
  }
  return { bytes: hasGrown ? bytes : bytes.subarray(0, Math.max(end, before.length)), torn };
}
