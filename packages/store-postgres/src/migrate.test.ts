import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { connect } from "./connect.ts";
import { migrate, readVersion } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { createDatabase, runOn } from "./testing/test-database.ts";
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
    const dataDir = mkdtempSync(join(tmpdir(), "holdpoint-upgrade-"));
    try {
      const ignore = () => undefined;
      const events = { onProblem: ignore, onLost: ignore };
      await using store = await openPostgresStore({ url, dataDir, acceptLoss: false, ...events });
      expect(await store.getSession("ses_1")).toMatchObject({ title: "Kept", lastSeq: 1 });
      expect(await store.readEvents("ses_1", { limit: 1 })).toEqual([
        { seq: 1, json: '{"seq":1}' },
      ]);
      await store.commit();
    } finally {
      rmSync(dataDir, { recursive: true });
    }
    expect(await runOn(url, readVersion)).toBe(MIGRATIONS.length);
  },
);

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
