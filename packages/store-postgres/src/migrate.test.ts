import { expectChained } from "@holdpoint/engine/testing";
import { stageOf, STATUS_NUMBER } from "@holdpoint/store-sqlite/rows";
import { expect, test } from "vitest";

import { connect } from "./connect.ts";
import { migrate, readVersion } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { LIST_ANSWERED } from "./read-answers.ts";
import { createDatabase, createTemporaryDir, runOn } from "./testing/test-database.ts";
import { toKey } from "./text-key.ts";

test("two programs at once bring an empty database up to date, each step once", async () => {
  const url = await createDatabase({ empty: true });
  const clients = await Promise.all([connect(url, "one"), connect(url, "other")]);
  await Promise.all(clients.map((client) => migrate(client, MIGRATIONS, "it")));
  expect(await runOn(url, readVersion)).toBe(MIGRATIONS.length);
  await Promise.all(clients.map((client) => client.end()));
});

/** The first schema in which events have a hash. */
const FIRST_CHAINED = 5;
/** The first schema in which the writer of an interaction states whether it resumes. */
const FIRST_WRITTEN = 9;

test.each(MIGRATIONS.slice(0, -1).map(({ version }) => version))(
  "a database of schema %i keeps its rows, and a gateway opens it",
  async (version) => {
    const url = await createDatabase({ empty: true });
    const client = await connect(url, "old");
    await migrate(client, MIGRATIONS.slice(0, version), "it");
    expect(await readVersion(client)).toBe(version);
    const session = { sessionId: "ses_1", title: "Kept" };
    await client.query(
      `INSERT INTO holdpoint.sessions
         (session_id, last_seq, updated_at_ms, is_busy, is_archived, title, searched, json)
       VALUES ($1, 1, 5, false, false, 'Kept', 'kept', $2)`,
      [toKey("ses_1"), JSON.stringify(session)],
    );
    const [hash, value] =
      version < FIRST_CHAINED
        ? ["", ""]
        : [", hash", `, event_hash(NULL, 'ses_1', 1, '{"seq":1}')`];
    await client.query(
      `INSERT INTO holdpoint.events (session_number, seq, json${hash})
       SELECT session_number, 1, '{"seq":1}'${value} FROM holdpoint.sessions`,
    );
    await client.query(
      `INSERT INTO interactions (interaction_id, session_number, tool_call_id, is_of_gateway_tool,
         takes_late_answer, started_at_ms, status, stage, hold, json, request)
       SELECT 'int_1', session_number, 'call', false, true, 5, $1, $2, 'parked', $3, $4 FROM sessions`,
      [
        STATUS_NUMBER.answered,
        stageOf("answered"),
        '{"interaction":{}}',
        '{"interaction":{"interactionId":"int_1"}}',
      ],
    );
    if (version >= FIRST_WRITTEN) await client.query("UPDATE interactions SET resumes = true");
    await client.end();
    {
      await using store = await openPostgresStore({ url, dataDir: createTemporaryDir() });
      expect(await store.listResuming("ses_1")).toMatchObject([
        { interaction: { interactionId: "int_1", status: "answered", hold: "parked" } },
      ]);
      expect(await store.getSession("ses_1")).toMatchObject({ title: "Kept", lastSeq: 1 });
      expect(await store.readEvents("ses_1", { limit: 1 })).toEqual([
        { seq: 1, json: '{"seq":1}' },
      ]);
      await store.commit();
    }
    expect(await runOn(url, readVersion)).toBe(MIGRATIONS.length);
  },
);

test("logs from before the chain are chained as they are, and their sessions record that", async () => {
  const url = await createDatabase({ empty: true });
  const sessionIds = ["ses_1", "ses_empty", "nul\0"];
  const client = await connect(url, "test");
  await migrate(client, MIGRATIONS.slice(0, 4), "it");
  for (const sessionId of sessionIds) {
    const lastSeq = sessionId === "ses_empty" ? 0 : 3;
    const { rows } = await client.query<{ session_number: number }>(
      `INSERT INTO sessions (session_id, last_seq, updated_at_ms, is_busy, is_archived, title, searched, json)
       VALUES ($1, $2, 5, false, false, '', '', $3) RETURNING session_number`,
      [toKey(sessionId), lastSeq, JSON.stringify({ sessionId })],
    );
    await client.query(
      `INSERT INTO events (session_number, seq, json)
       SELECT $1, seq, '{"seq":' || seq || ',"text":"Straße"}' FROM generate_series(1, $2) AS seq`,
      [rows[0]?.session_number, lastSeq],
    );
  }
  await migrate(client, MIGRATIONS, "it");
  const { rows: later } = await client.query(
    "SELECT chained_later FROM sessions ORDER BY session_number",
  );
  expect(later).toEqual([3, 0, 3].map((seq) => ({ chained_later: seq })));
  await client.end();
  await using store = await openPostgresStore({ url, dataDir: createTemporaryDir() });
  for (const sessionId of sessionIds) {
    await store.append({ sessionId, events: [{ at: "now", type: "turn_started" }] });
  }
  const lengths = sessionIds.map((id) => expectChained(store, id));
  expect(await Promise.all(lengths)).toEqual([4, 1, 4]);
});

test("a failing step leaves the schema as it was", async () => {
  const url = await createDatabase();
  const client = await connect(url, "test");
  const version = MIGRATIONS.length + 1;
  const bad = [...MIGRATIONS, { version, sql: "CREATE TABLE half (id integer); SELECT 1 / 0" }];
  await expect(migrate(client, bad, "The one")).rejects.toMatchObject({
    message: expect.stringContaining(
      `from schema ${version - 1} to ${version} (22012); it is unchanged.`,
    ),
  });
  expect(await readVersion(client)).toBe(MIGRATIONS.length);
  await expect(client.query("SELECT 1 FROM half")).rejects.toThrow(/does not exist/u);
  await client.end();
});

test("a step takes as long as a large database needs, regardless of other time limits", async () => {
  const url = await createDatabase();
  const client = await connect(url, "test");
  const version = MIGRATIONS.length + 1;
  const sql = "CREATE TABLE limits AS SELECT current_setting('statement_timeout') AS during";
  await migrate(client, [...MIGRATIONS, { version, sql }], "it");
  const { rows } = await client.query(
    "SELECT during, current_setting('statement_timeout') AS later FROM limits",
  );
  expect(rows).toEqual([{ during: "0", later: "1min" }]);
  await client.end();
});

test.each([
  [
    "UPDATE holdpoint.schema_version SET version = 999",
    /was written by a newer release \(schema 999/u,
  ],
  ["DROP TABLE holdpoint.schema_version", /is of another program/u],
])("%s: the schema is refused and left alone", async (sql, message) => {
  const url = await createDatabase();
  const client = await connect(url, "test");
  await client.query(sql);
  await expect(migrate(client, MIGRATIONS, "It")).rejects.toThrow(message);
  await client.end();
});

/** Fills an older database with this many answered interactions of one session, and returns what distinguishes each. */
async function fillAnswers(url: string, count: number): Promise<void> {
  const client = await connect(url, "test");
  await migrate(client, MIGRATIONS.slice(0, 5), "it");
  const title = "A \\u0000 \0 \ud800 title";
  await client.query(
    `INSERT INTO sessions (session_id, last_seq, updated_at_ms, is_busy, is_archived, title, searched, json)
     VALUES ('ses_1', 0, 5, false, false, '', '', $1)`,
    [JSON.stringify({ title, agent: "claude" })],
  );
  const said = {
    response: { action: "deny", reason: "\0" },
    by: { person: "Ada", client: "\ud800" },
  };
  await client.query(
    `INSERT INTO interactions (interaction_id, session_number, tool_call_id, is_of_gateway_tool,
       takes_late_answer, started_at_ms, status, stage, hold, json, request)
     SELECT 'int_' || number, session_number, 'call', false, true, 5, $2, 1, 'held', $3, $4
     FROM sessions, generate_series(1, $1) AS number`,
    [
      count,
      STATUS_NUMBER.answered,
      JSON.stringify({ interaction: said }),
      JSON.stringify({ interaction: { toolName: "Bash", prompt: "\\\0" } }),
    ],
  );
  await client.query(
    `INSERT INTO answers SELECT interaction_number, session_number, 1000 + interaction_number, 'yes'
     FROM interactions`,
  );
  await client.query("ANALYZE answers");
  await client.end();
}

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows of a table a plan has looked at. */
function rowsOf(table: string, node: PlanNode): number {
  const inner = (node.Plans ?? []).map((one) => rowsOf(table, one));
  const seen = node["Actual Rows"] * node["Actual Loops"] + (node["Rows Removed by Filter"] ?? 0);
  return inner.reduce((a, b) => a + b, node["Relation Name"] === table ? seen : 0);
}

test("[R-20] answers of older versions can be filtered, and a page looks at no more of them than allowed", async () => {
  const url = await createDatabase({ empty: true });
  const count = 5000;
  await fillAnswers(url, count);
  {
    await using store = await openPostgresStore({ url, dataDir: createTemporaryDir() });
    const named = { person: "Ada", agent: "claude", tool: "Bash", action: "deny" } as const;
    const page = { words: [], maxRows: 100, limit: 2 };
    const { items } = await store.listAnswered({ ...named, ...page });
    expect(items.map(({ stored }) => stored.interaction.response)).toEqual([
      { action: "deny", reason: "\0" },
      { action: "deny", reason: "\0" },
    ]);
    const none = await store.listAnswered({ ...named, ...page, tool: "Edit" });
    expect(none).toEqual({ items: [], nextCursor: `${1000 + count - 99}/${count - 99}` });
  }
  const values = [9e15, 0, 51, [], "Ada", null, "Edit", null, 1000 + count - 99, count - 99, null];
  const plan = await runOn(url, async (client) => {
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${LIST_ANSWERED}`,
      values,
    );
    return rows[0]!["QUERY PLAN"][0].Plan;
  });
  expect(rowsOf("answers", plan)).toBe(100);
});
