import { createSystemClock } from "@holdpoint/engine";
import { expect, test } from "vitest";

import { connect } from "./connect.ts";
import { FUNCTIONS } from "./functions/index.ts";
import { joinNodes } from "./join-nodes.ts";
import { migrate, readSchema } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openPostgresAudit } from "./open-postgres-audit.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { createDatabase, createTemporaryDir, runOn } from "./testing/test-database.ts";

const versionOf = async (url: string): Promise<unknown> => (await runOn(url, readSchema))?.version;

test("migrations are numbered from 1 without gaps", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

test("two programs at once bring an empty database up to date, each step once", async () => {
  const url = await createDatabase({ empty: true });
  const clients = await Promise.all([connect(url, "one"), connect(url, "other")]);
  await Promise.all(clients.map((client) => migrate(client, MIGRATIONS, "it")));
  expect(await versionOf(url)).toBe(MIGRATIONS.length);
  await Promise.all(clients.map((client) => client.end()));
});

test("an older database is brought to the newest schema and keeps its rows, and nothing is done twice", async () => {
  const url = await createDatabase();
  const client = await connect(url, "test");
  const version = MIGRATIONS.length;
  const steps = [
    ...MIGRATIONS,
    { version: version + 1, sql: "ALTER TABLE node_keys ADD COLUMN note text" },
    { version: version + 2, sql: "UPDATE node_keys SET note = 'none'" },
  ];
  await client.query("INSERT INTO node_keys VALUES ('kept', 'sealed')");
  await migrate(client, steps, "it");
  expect(await versionOf(url)).toBe(version + 2);
  await client.query("UPDATE node_keys SET note = 'some'");
  await migrate(client, steps, "it");
  const { rows } = await client.query("SELECT * FROM node_keys");
  expect(rows).toEqual([{ name: "kept", sealed: "sealed", note: "some" }]);
  await client.end();
});

test("the functions are those of the release that opened the database last, and of none with an older schema", async () => {
  const url = await createDatabase();
  const client = await connect(url, "test");
  const releaseWith = (word: string): string =>
    `${FUNCTIONS}\nCREATE OR REPLACE FUNCTION word() RETURNS text LANGUAGE sql AS $$ SELECT '${word}' $$`;
  const wordOf = async (): Promise<unknown> =>
    (await client.query<{ word: string }>("SELECT word()")).rows[0]?.word;
  for (const word of ["one", "other", "one"]) {
    await migrate(client, MIGRATIONS, "it", releaseWith(word));
    expect(await wordOf()).toBe(word);
  }
  const next = [...MIGRATIONS, { version: MIGRATIONS.length + 1, sql: "SELECT 1" }];
  await migrate(client, next, "it", releaseWith("next"));
  await expect(migrate(client, MIGRATIONS, "it", releaseWith("one"))).rejects.toThrow(
    /was written by a newer release/u,
  );
  expect(await wordOf()).toBe("next");
  await client.end();
});

test("a start whose functions are in the database does not touch them", async () => {
  const url = await createDatabase();
  const written = (): Promise<unknown> =>
    runOn(url, async (client) => {
      const { rows } = await client.query(
        "SELECT oid, xmin FROM pg_proc WHERE pronamespace = 'holdpoint'::regnamespace ORDER BY oid",
      );
      return rows;
    });
  const before = await written();
  const client = await connect(url, "test");
  await migrate(client, MIGRATIONS, "it");
  await client.end();
  expect(await written()).toEqual(before);
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
  expect(await versionOf(url)).toBe(MIGRATIONS.length);
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

test.each([1, 9])(
  "a database from before the first release is refused by everything that opens it, and keeps its schema %i",
  async (version) => {
    const url = await createDatabase({ empty: true });
    await runOn(url, (client) =>
      client.query(`
        CREATE SCHEMA holdpoint;
        CREATE TABLE holdpoint.schema_version (version integer NOT NULL);
        INSERT INTO holdpoint.schema_version VALUES (${version});
        CREATE TABLE holdpoint.sessions (session_number bigint)`),
    );
    const dataDir = createTemporaryDir();
    const own = async () => ({ gateway: Buffer.alloc(32) });
    const node = { url, clock: createSystemClock(), key: Buffer.alloc(32), isNew: true, own };
    for (const opening of [
      () => openPostgresStore({ url, dataDir }),
      () => openPostgresStore({ url, dataDir, acceptLoss: true }),
      () => openPostgresAudit(url),
      () => joinNodes(node),
    ]) {
      await expect(opening()).rejects.toThrow(
        /was written by a version before the first release\. Use another database/u,
      );
    }
    const { rows } = await runOn(url, (client) =>
      client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'holdpoint' ORDER BY 1"),
    );
    expect(rows).toEqual([{ tablename: "schema_version" }, { tablename: "sessions" }]);
    expect(await versionOf(url)).toBe(version);
  },
);
