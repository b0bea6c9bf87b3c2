import type pg from "pg";

import { showAddress } from "./address.ts";
import { findServerProblem, readServerSettings, type ServerSettings } from "./check-server.ts";
import { connect } from "./connect.ts";
import { storeFailed } from "./database-error.ts";
import type { WorkingNode } from "./lease-life.ts";
import { readSchema, refusalOf } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { readWorkingNode } from "./read-lease.ts";
import { isWriterLocked } from "./writer-lock.ts";

/** The state of a database, with any problems. */
export interface PostgresReport {
  /** Does not contain the password. */
  readonly address: string;
  readonly server: ServerSettings;
  /** The schema version; `undefined` without a schema. */
  readonly schema: number | undefined;
  readonly rows: {
    readonly sessions: number;
    readonly entries: number;
    readonly interactions: number;
  };
  /** True if a gateway is using it. */
  readonly isInUse: boolean;
  /** The working node, if there are several. */
  readonly workingNode?: WorkingNode;
  /** As sentences. */
  readonly problems: readonly string[];
}

const NOTHING = { sessions: 0, entries: 0, interactions: 0 };

/**
 * Checks a database without changing it, also next to a running gateway. Rejects with `StoreError` when it cannot be
 * used.
 */
export async function checkPostgresStore(url: string): Promise<PostgresReport> {
  const client = await connect(url, "holdpoint check");
  try {
    // A snapshot, so that all reads see the same state while a gateway writes.
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const server = await readServerSettings(client);
    const serverProblem = findServerProblem(server);
    const address = showAddress(url);
    const { schema, refusals, isNewest, hasNodes } = await lookAtSchema(client, address);
    const workingNode = hasNodes ? await readWorkingNode(client) : undefined;
    return {
      address,
      server,
      schema,
      rows: isNewest ? await countRows(client) : NOTHING,
      isInUse: workingNode !== undefined || (await isWriterLocked(client)),
      ...(workingNode && { workingNode }),
      problems: [
        ...(serverProblem === undefined ? [] : [serverProblem]),
        ...refusals,
        ...(isNewest ? await findProblems(client) : []),
      ],
    };
  } catch (error: unknown) {
    throw storeFailed(`Looking at the database ${showAddress(url)}`, error);
  } finally {
    await client.end();
  }
}

/** Returns what this release can read of the schema. */
async function lookAtSchema(client: pg.ClientBase, address: string) {
  const found = await readSchema(client);
  const refusal = found && refusalOf(found, address);
  return {
    schema: found?.version,
    refusals: refusal === undefined ? [] : [refusal],
    isNewest: refusal === undefined && found?.version === MIGRATIONS.length,
    hasNodes: found?.functions !== undefined && found.version > 0,
  };
}

async function countRows(client: pg.ClientBase): Promise<PostgresReport["rows"]> {
  const { rows } = await client.query<PostgresReport["rows"]>(`
    SELECT count(*) AS sessions, coalesce(sum(last_seq), 0)::bigint AS entries,
      (SELECT count(*) FROM interactions) AS interactions FROM sessions`);
  return rows[0] ?? NOTHING;
}

/** Invariants of every store, with the queries that count their violations. */
const RULES: readonly (readonly [problem: string, sql: string])[] = [
  [
    "Sessions whose log has gaps",
    `SELECT count(*) AS found FROM sessions LEFT JOIN (
       SELECT session_number, count(*) AS entries, max(seq) AS last FROM events GROUP BY 1
     ) AS log USING (session_number)
     WHERE last_seq <> coalesce(entries, 0) OR last_seq <> coalesce(last, 0)`,
  ],
  [
    "Entries of a log whose session is gone",
    `SELECT count(*) AS found FROM events
     WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.session_number = events.session_number)`,
  ],
  [
    "Interactions whose request is not in the log",
    `SELECT count(*) AS found FROM interactions AS one
     WHERE request_seq IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM events WHERE session_number = one.session_number AND seq = one.request_seq
         AND position('"type":"interaction_request"' IN json) > 0)`,
  ],
  [
    "Entries whose hash no longer matches",
    `SELECT count(*) AS found FROM (
       SELECT session_id, seq, events.json AS json, hash, lag(hash) OVER log AS hash_before,
         coalesce(lag(seq) OVER log, 0) AS seq_before
       FROM events JOIN sessions USING (session_number)
       WINDOW log AS (PARTITION BY session_number ORDER BY seq)
     ) AS one
     WHERE seq = seq_before + 1 AND hash <> event_hash(hash_before, session_id, seq, json)`,
  ],
];

async function findProblems(client: pg.ClientBase): Promise<string[]> {
  const problems: string[] = [];
  for (const [problem, sql] of RULES) {
    const { rows } = await client.query<{ found: number }>(sql);
    const found = rows[0]?.found ?? 0;
    if (found > 0) problems.push(`${problem}: ${found}.`);
  }
  return problems;
}
