import { closeSync, existsSync, openSync, readSync, statfsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { countUnchained } from "./check-chains.ts";
import { DATABASE, LOCK, MARKER } from "./data-dir.ts";
import { readSynchronous } from "./database.ts";
import { findHistoryLoss } from "./history-loss.ts";
import { type Mark, readMark } from "./history-marker.ts";
import { countEntries, readHistory } from "./history.ts";
import { listWaiting, NOBODY_WAITS, type WaitingCalls } from "./list-waiting.ts";
import { readVersion } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openForReading } from "./open-for-reading.ts";
import { refuseForeign } from "./refuse-foreign.ts";

const MAX_PROBLEMS = 20;
const SQLITE_BUSY = 5;

/** Row counts of a store. */
export interface StoreRows {
  readonly sessions: number;
  readonly entries: number;
  readonly interactions: number;
}

/** The state of a data folder, with any problems. */
export interface StoreReport {
  readonly path: string;
  readonly sqlite: {
    readonly version: string;
    readonly journal: string;
    /** SQLite's `synchronous` setting in a gateway: how commits wait for the disk. */
    readonly synchronous: string;
    /** Whether deleting returns space to the disk. */
    readonly vacuum: "by itself" | "never";
  };
  readonly bytes: { readonly database: number; readonly log: number; readonly free: number };
  readonly pages: { readonly all: number; readonly free: number };
  readonly rows: StoreRows;
  /** Empty for a database of another schema version, which the next start migrates. */
  readonly waiting: WaitingCalls;
  /** The last change of any session, in milliseconds since the epoch; 0 without sessions. */
  readonly newestAtMs: number;
  /** How the history marker, a file next to the database, compares with the database. */
  readonly marker:
    | "missing"
    | "as far as the database"
    | "behind the database"
    | "ahead of the database";
  /** True if a gateway is using the folder. */
  readonly isInUse: boolean;
  /** Damaged or missing parts, as sentences. */
  readonly problems: readonly string[];
}

/**
 * Checks a store without changing it, also next to a running gateway. `undefined` when the folder has no store. With
 * `thorough: false` only quick checks are made.
 */
export function checkStore(
  dataDir: string,
  { thorough = true }: { readonly thorough?: boolean } = {},
): StoreReport | undefined {
  const path = resolve(dataDir);
  const place = { database: join(path, DATABASE), marker: join(path, MARKER) };
  if (!existsSync(place.database) && !existsSync(place.marker)) return undefined;
  const foreign = foreignProblem(place.database);
  if (foreign !== undefined) {
    return { path, ...nothing(), ...sizesIn(path), isInUse: false, problems: [foreign] };
  }
  const isInUse = isLocked(join(path, LOCK));
  // Read before the database, because a running gateway writes it after the database.
  const mark = existsSync(place.marker) ? readMark(place.marker) : undefined;
  const loss = findHistoryLoss(place, mark, { isInUse });
  const problems = loss ? [loss.missing] : [];
  const inside = lookInside(place.database, mark, { thorough, problems, isInUse });
  return { path, ...inside, ...sizesIn(path), isInUse, problems };
}

function sizesIn(path: string): Pick<StoreReport, "bytes"> {
  const { bavail, bsize } = statfsSync(path);
  const database = join(path, DATABASE);
  const log = sizeOf(`${database}-wal`);
  return { bytes: { database: sizeOf(database), log, free: bavail * bsize } };
}

/** Returns the reason why this release must not open the database, as a sentence. */
function foreignProblem(database: string): string | undefined {
  try {
    refuseForeign(database);
    return undefined;
  } catch (error: unknown) {
    return error instanceof Error ? error.message : String(error);
  }
}

type Inside = Pick<StoreReport, "sqlite" | "pages" | "rows" | "marker" | "waiting" | "newestAtMs">;

function nothing(): Inside {
  return {
    sqlite: {
      version: process.versions["sqlite"] ?? "unknown",
      journal: "none",
      synchronous: readSynchronous(),
      vacuum: "never",
    },
    pages: { all: 0, free: 0 },
    rows: { sessions: 0, entries: 0, interactions: 0 },
    waiting: NOBODY_WAITS,
    newestAtMs: 0,
    marker: "missing",
  };
}

interface Looking {
  readonly thorough: boolean;
  readonly isInUse: boolean;
  readonly problems: string[];
}

function lookInside(
  path: string,
  mark: Mark | undefined,
  { thorough, problems, isInUse }: Looking,
): Inside {
  if (sizeOf(path) === 0) return nothing();
  let database: DatabaseSync | undefined;
  try {
    database = openForReading(path, { isInUse });
    // A transaction, so that all reads see the same state while a gateway writes.
    database.exec("BEGIN");
    const found = describe(path, database, mark);
    if (thorough) problems.push(...findProblems(database));
    return found;
  } catch (error: unknown) {
    const reason = error instanceof Error ? error.message : "unknown reason";
    if (problems.length === 0) problems.push(`The database ${path} cannot be read (${reason}).`);
    return nothing();
  } finally {
    database?.close();
  }
}

function describe(path: string, database: DatabaseSync, mark: Mark | undefined): Inside {
  const read = (pragma: string): number | string => valueOf(database, `PRAGMA ${pragma}`);
  const isNewest = readVersion(database) === MIGRATIONS.length;
  return {
    sqlite: {
      version: String(valueOf(database, "SELECT sqlite_version()")),
      journal: readJournal(path),
      synchronous: readSynchronous(),
      vacuum: read("auto_vacuum") === 0 ? "never" : "by itself",
    },
    pages: { all: Number(read("page_count")), free: Number(read("freelist_count")) },
    rows: countRows(database),
    waiting: isNewest ? listWaiting(database) : NOBODY_WAITS,
    newestAtMs: Number(valueOf(database, "SELECT coalesce(max(updated_at_ms), 0) FROM sessions")),
    marker: compareMark(database, mark),
  };
}

export function countRows(database: DatabaseSync): StoreRows {
  return {
    sessions: Number(valueOf(database, "SELECT count(*) FROM sessions")),
    entries: countEntries(database),
    interactions: Number(valueOf(database, "SELECT count(*) FROM interactions")),
  };
}

function compareMark(database: DatabaseSync, mark: Mark | undefined): Inside["marker"] {
  if (!mark) return "missing";
  const { epoch, generation } = readHistory(database);
  if (epoch !== mark.epoch || generation < mark.generation) return "ahead of the database";
  return generation === mark.generation ? "as far as the database" : "behind the database";
}

/** Invariants of every store, with the queries that count their violations. */
const RULES: readonly (readonly [problem: string, sql: string])[] = [
  [
    "Sessions whose log has gaps",
    `SELECT count(*) FROM (
       SELECT
         (SELECT count(*) FROM events WHERE place BETWEEN first AND first + 4294967295) AS found,
         (SELECT coalesce(max(place) & 4294967295, 0) FROM events
          WHERE place BETWEEN first AND first + 4294967295) AS last
       FROM (SELECT session_number * 4294967296 AS first FROM sessions)
     ) WHERE found <> last`,
  ],
  [
    "Entries of a log whose session is gone",
    `SELECT count(*) FROM events
     WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE session_number = place >> 32)`,
  ],
  [
    "Interactions whose request is not in the log",
    `SELECT count(*) FROM interactions
     WHERE request_seq IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM events WHERE place = (session_number << 32) + request_seq
         AND json_valid(json) AND json_extract(json, '$.type') = 'interaction_request')`,
  ],
];

/** Invariants of a store with the newest schema. */
const NEWEST_RULES: typeof RULES = [
  [
    "Answers that belong to no interaction",
    `SELECT count(*) FROM answers
     WHERE NOT EXISTS (
       SELECT 1 FROM interactions AS asked
       WHERE asked.interaction_number = answers.interaction_number AND answer_place = place)`,
  ],
];

/** Returns damage and violated invariants, as sentences. */
export function findProblems(database: DatabaseSync): string[] {
  const damages = database
    .prepare(`PRAGMA integrity_check(${MAX_PROBLEMS})`)
    .all()
    .map(({ integrity_check: said }) => String(said))
    .filter((said) => said !== "ok");
  // A damaged database cannot be queried reliably.
  if (damages.length > 0) return damages.map((said) => `The database is damaged: ${said}.`);
  const foreign = database
    .prepare('SELECT "table" AS name, count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1')
    .all()
    .map(
      ({ name, rows }) =>
        `Rows of the table ${String(name)} that belong to nothing: ${String(rows)}.`,
    );
  const isNewest = readVersion(database) === MIGRATIONS.length;
  const broken = [...RULES, ...(isNewest ? NEWEST_RULES : [])].flatMap(([problem, sql]) => {
    const count = Number(valueOf(database, sql));
    return count === 0 ? [] : [`${problem}: ${count}.`];
  });
  const unchained = isNewest ? countUnchained(database) : 0;
  const changed = unchained === 0 ? [] : [`Entries whose hash no longer matches: ${unchained}.`];
  return [...foreign, ...broken, ...changed];
}

function valueOf(database: DatabaseSync, sql: string): number | string {
  const [value = 0] = Object.values(database.prepare(sql).get() ?? {});
  return value as number | string;
}

/** Reads the journal mode from the file header: a connection opened as `immutable` reports another mode. */
function readJournal(path: string): string {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(20);
    readSync(file, head, 0, head.length, 0);
    return head[18] === 2 && head[19] === 2 ? "wal" : "delete";
  } finally {
    closeSync(file);
  }
}

/** True while a gateway holds the lock, which makes reading fail. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    connection.prepare("SELECT count(*) FROM sqlite_schema").get();
    return false;
  } catch (error: unknown) {
    return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
  } finally {
    connection?.close();
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
