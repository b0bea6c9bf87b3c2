import { expectChained } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { connect } from "./connect.ts";
import { migrate, readVersion } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { createDatabase, createTemporaryDir, runOn } from "./testing/test-database.ts";
import { toKey } from "./text-key.ts";

test("two programs at once bring an empty database up to date, each step once", async () => {
  const url = await createDatabase({ empty: true });
  const clients = await Promise.all([connect(url, "one"), connect(url, "other")]);
  await Promise.all(clients.map((client) => migrate(client, MIGRATIONS, "it")));
  expect(await runOn(url, readVersion)).toBe(MIGRATIONS.length);
  await Promise.all(clients.map((client) => client.end()));
});

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
    await client.query(
      `INSERT INTO holdpoint.events (session_number, seq, json)
       SELECT session_number, 1, '{"seq":1}' FROM holdpoint.sessions`,
    );
    await client.end();
    {
      await using store = await openPostgresStore({ url, dataDir: createTemporaryDir() });
      expect(await store.getSession("ses_1")).toMatchObject({ title: "Kept", lastSeq: 1 });
      expect(await store.readEvents("ses_1", { limit: 1 })).toEqual([
        { seq: 1, json: '{"seq":1}' },
      ]);
      await store.commit();
    }
    expect(await runOn(url, readVersion)).toBe(MIGRATIONS.length);
  },
);
test("the logs of before the chain are chained as they are found, which their sessions say", async () => {
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

test("a step that fails leaves the schema as it was", async () => {
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
