import { expect, test } from "vitest";

import { connect } from "./connect.ts";
import { migrate, readVersion } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { createDatabase, runOn } from "./testing/test-database.ts";

test("two programs at once bring an empty database up to date, each step once", async () => {
  const url = await createDatabase({ empty: true });
  const clients = await Promise.all([connect(url, "one"), connect(url, "other")]);
  await Promise.all(clients.map((client) => migrate(client, MIGRATIONS, "it")));
  expect(await runOn(url, readVersion)).toBe(MIGRATIONS.length);
  await Promise.all(clients.map((client) => client.end()));
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
