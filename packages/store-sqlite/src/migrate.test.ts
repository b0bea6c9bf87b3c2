import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { INTERACTION_STATUSES } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { prepareDataDir } from "./data-dir.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const schemaOf = (database: DatabaseSync): unknown[] =>
  database
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name",
    )
    .all();

const versionOf = (database: DatabaseSync): unknown =>
  database.prepare("PRAGMA user_version").get()?.["user_version"];

/** What a release wrote that knew only the first migrations. */
function fillFromVersion(database: DatabaseSync, version: number): void {
  database.exec(`
    INSERT INTO sessions (session_number, session_id, updated_at_ms, json)
      VALUES (1, 'ses_1', 5, '{"sessionId":"ses_1","title":"Kept"}');
    INSERT INTO events (place, json) VALUES (4294967297, '{"seq":1}');
    INSERT INTO interactions (
      interaction_id, session_number, tool_call_id, started_at_ms, deadline_at_ms, json,
      ${version < 5 ? "status" : "is_of_gateway_tool, hold, is_open, status"}
    ) VALUES (
      'int_1', 1, 'call_1', 5, 9, '{"interaction":{"interactionId":"int_1"}}',
      ${version < 5 ? "'pending'" : "0, 'held', 1, 3"}
    );
    INSERT INTO messages (session_number, message_id, idempotency_key, json)
      VALUES (1, 'msg_1', 'key-12345', '{"messageId":"msg_1"}');
  `);
  if (version >= 2) {
    database.exec(`
      INSERT INTO credentials (token_id, token_hash, created_at_ms, last_used_at_ms, json)
        VALUES ('tok_1', 'abc', 5, NULL, '{"tokenId":"tok_1"}')`);
  }
}

test("migrations are numbered from 1 without gaps", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

test.each(MIGRATIONS.map(({ version }) => version))(
  "a database of schema %i keeps its rows and gets today's schema",
  async (version) => {
    const dataDir = createTemporaryDir();
    const { database: path } = prepareDataDir(dataDir);
    using fresh = new DatabaseSync(":memory:");
    migrate(fresh, MIGRATIONS, "fresh");
    {
      using old = new DatabaseSync(path);
      migrate(old, MIGRATIONS.slice(0, version), path);
      expect(versionOf(old)).toBe(version);
      fillFromVersion(old, version);
    }
    {
      await using store = await openSqliteStore({ dataDir });
      expect(await store.getSession("ses_1")).toMatchObject({ title: "Kept", lastSeq: 1 });
      expect(await store.readEvents("ses_1", { limit: 1 })).toEqual([
        { seq: 1, json: '{"seq":1}' },
      ]);
      expect(await store.nextDeadline()).toBe(9);
      expect(await store.findMessage("ses_1", "key-12345")).toEqual({ messageId: "msg_1" });
      expect(await store.credentials.list()).toHaveLength(version >= 2 ? 1 : 0);
    }
    using migrated = new DatabaseSync(path);
    expect(schemaOf(migrated)).toEqual(schemaOf(fresh));
    expect(versionOf(migrated)).toBe(MIGRATIONS.length);
  },
);

test("a migration that fails leaves the version before it, whole", () => {
  using database = new DatabaseSync(":memory:");
  const broken = [
    { version: 1, sql: "CREATE TABLE one (id INTEGER)" },
    { version: 2, sql: "CREATE TABLE two (id INTEGER); INSERT INTO missing VALUES (1)" },
  ];
  expect(() => migrate(database, broken, "/data/a.db")).toThrow(
    "The database /data/a.db could not be brought from schema 1 to 2",
  );
  expect(versionOf(database)).toBe(1);
  expect(schemaOf(database)).toMatchObject([{ name: "one" }]);
});

test("a database of a newer release is refused unchanged, with the way out", async () => {
  const dataDir = createTemporaryDir();
  await (await openSqliteStore({ dataDir }))[Symbol.asyncDispose]();
  const path = join(dataDir, "holdpoint.db");
  {
    using newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version = 99");
  }
  await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringMatching(/holdpoint\.db was written by a newer release .schema 99.*Use/),
  });
  using after = new DatabaseSync(path);
  expect(versionOf(after)).toBe(99);
});

test("a database of another program is refused unchanged", async () => {
  const dataDir = createTemporaryDir();
  const path = join(dataDir, "holdpoint.db");
  {
    using foreign = new DatabaseSync(path);
    foreign.exec("CREATE TABLE theirs (id INTEGER)");
  }
  await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringContaining("another program"),
  });
  using after = new DatabaseSync(path);
  expect(schemaOf(after)).toHaveLength(1);
});

test("a database that indexed every status apart keeps each interaction and each session in its lists", async () => {
  const dataDir = createTemporaryDir();
  const { database: path } = prepareDataDir(dataDir);
  const statuses = INTERACTION_STATUSES;
  {
    using old = new DatabaseSync(path);
    migrate(old, MIGRATIONS.slice(0, 4), path);
    old.exec(`
      INSERT INTO sessions (session_number, session_id, updated_at_ms, json) VALUES
        (1, 'ses_1', 5, '{"sessionId":"ses_1","status":"running"}'),
        (2, 'ses_2', 6, '{"sessionId":"ses_2","status":"idle"}')`);
    const insert = old.prepare(`
      INSERT INTO interactions (interaction_id, session_number, tool_call_id, status, started_at_ms, json)
      VALUES (?, 1, 'call_1', ?, 5, ?)`);
    for (const status of statuses) {
      const call = status === "delivered" ? { callDigest: "digest" } : undefined;
      const interaction = { interactionId: `int_${status}`, status };
      insert.run(interaction.interactionId, status, JSON.stringify({ interaction, call }));
    }
  }
  await using store = await openSqliteStore({ dataDir });
  const idsOf = (rows: readonly { interaction: { interactionId: string } }[]): string[] =>
    rows.map(({ interaction }) => interaction.interactionId);
  for (const status of statuses) {
    for (const query of [{}, { sessionId: "ses_1" }]) {
      const { items } = await store.listInteractions({ statuses: [status], limit: 9, ...query });
      expect(idsOf(items)).toEqual([`int_${status}`]);
    }
  }
  const ofCall = idsOf(await store.listToolCallInteractions("ses_1", "call_1"));
  expect(ofCall).toEqual([
    "int_answered",
    "int_delivered",
    "int_expired",
    "int_orphaned",
    "int_pending",
  ]);
  const { items: busy } = await store.listSessions({ onlyBusy: true, limit: 9 });
  expect(busy.map(({ sessionId }) => sessionId)).toEqual(["ses_1"]);
});
