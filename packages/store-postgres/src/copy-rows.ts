import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

import { STATUS_NUMBER } from "@holdpoint/store-sqlite/rows";
import type pg from "pg";

import {
  type LiteRow,
  MOVED_TABLES,
  type MovedTable,
  NUMBERED,
  PLACE_ANSWERS,
  type Row,
} from "./moved-tables.ts";

const ROWS_AT_ONCE = 200;
const BYTES_AT_ONCE = 8 * 1024 * 1024;

/** The contents of a store: the row count of each table, and a hash over its rows. */
export type Contents = Readonly<Record<string, { readonly rows: number; readonly hash: string }>>;

/** Yields the rows of a table in order. */
type RowsOf = (table: MovedTable) => AsyncIterable<Row> | Iterable<Row>;

export async function contentsOf(rowsOf: RowsOf): Promise<Contents> {
  const contents: Record<string, { rows: number; hash: string }> = {};
  for (const table of MOVED_TABLES) {
    const hash = createHash("sha256");
    let rows = 0;
    for await (const row of rowsOf(table)) {
      rows += 1;
      for (const column of table.columns) {
        const value = row[column] ?? null;
        hash.update(
          `${JSON.stringify(value instanceof Buffer ? value.toString("base64") : value)}\n`,
        );
      }
    }
    contents[table.name] = { rows, hash: hash.digest("hex") };
  }
  return contents;
}

/** Returns the first table that differs. */
export function findDifference(one: Contents, other: Contents): string | undefined {
  return MOVED_TABLES.map(({ name }) => name).find(
    (name) => one[name]?.rows !== other[name]?.rows || one[name]?.hash !== other[name]?.hash,
  );
}

export function isEmpty(contents: Contents): boolean {
  return Object.values(contents).every(({ rows }) => rows === 0);
}

export function liteRows(database: DatabaseSync): RowsOf {
  return function* read({ select, fromLite }) {
    for (const row of database.prepare(select).iterate()) yield fromLite(row as LiteRow);
  };
}

/** Reads a batch of rows at a time, starting after the last key. */
export function postgresRows(client: pg.ClientBase): RowsOf {
  return async function* read({ name, columns, keys }) {
    const key = columns.slice(0, keys);
    let after: unknown[] | undefined;
    for (;;) {
      const where = after
        ? `WHERE (${key.join(", ")}) > (${key.map((_, at) => `$${at + 1}`).join(", ")})`
        : "";
      const { rows } = await client.query<Record<string, Row[string]>>(
        `SELECT ${columns.join(", ")} FROM holdpoint.${name} ${where}
         ORDER BY ${key.join(", ")} LIMIT ${ROWS_AT_ONCE}`,
        after ?? [],
      );
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_AT_ONCE) return;
      after = key.map((column) => last[column]);
    }
  };
}

/** Call it in a transaction. */
export async function writeToPostgres(client: pg.ClientBase, rowsOf: RowsOf): Promise<void> {
  for (const table of MOVED_TABLES) {
    let waiting: Row[] = [];
    let bytes = 0;
    const write = async (): Promise<void> => {
      if (waiting.length > 0) await insert(client, table, waiting);
      waiting = [];
      bytes = 0;
    };
    for await (const row of rowsOf(table)) {
      waiting.push(row);
      for (const value of Object.values(row)) {
        bytes += typeof value === "string" || value instanceof Buffer ? value.length : 8;
      }
      if (waiting.length === ROWS_AT_ONCE || bytes > BYTES_AT_ONCE) await write();
    }
    await write();
  }
  for (const [table, column] of NUMBERED) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence('holdpoint.${table}', '${column}'),
         (SELECT coalesce(max(${column}), 0) + 1 FROM holdpoint.${table}), false)`,
    );
  }
  await client.query(DERIVED);
}

/** Columns derived from others, which only Postgres queries need. */
const DERIVED = `
  UPDATE holdpoint.sessions SET seen_by = holdpoint.seen_by_of(json) WHERE json LIKE '%"seenBy":%';
  UPDATE holdpoint.interactions SET named = holdpoint.named_of(json) WHERE json LIKE '%"named":%';
  UPDATE holdpoint.interactions SET resumes = true
    WHERE status = ${STATUS_NUMBER.answered} AND hold = 'parked';
`;

async function insert(
  client: pg.ClientBase,
  { name, columns }: MovedTable,
  rows: readonly Row[],
): Promise<void> {
  const places = rows.map(
    (_, at) => `(${columns.map((_, column) => `$${at * columns.length + column + 1}`).join(", ")})`,
  );
  await client.query(
    `INSERT INTO holdpoint.${name} (${columns.join(", ")}) VALUES ${places.join(", ")}`,
    rows.flatMap((row) => columns.map((column) => row[column])),
  );
}

/** Call it in a transaction. */
export async function writeToLite(database: DatabaseSync, rowsOf: RowsOf): Promise<void> {
  for (const table of MOVED_TABLES) {
    for await (const row of rowsOf(table)) {
      const lite = table.toLite(row);
      const columns = Object.keys(lite);
      const epoch = table.name === "grants";
      database
        .prepare(
          table.insert ??
            `INSERT INTO ${table.name} (${columns.join(", ")}${epoch ? ", epoch" : ""})
           VALUES (${columns.map(() => "?").join(", ")}${epoch ? ", (SELECT epoch FROM history)" : ""})`,
        )
        .run(...Object.values(lite));
    }
  }
  database.exec(PLACE_ANSWERS);
}
