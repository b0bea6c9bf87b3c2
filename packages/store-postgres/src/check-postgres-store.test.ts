import { expect, test } from "vitest";

import { checkPostgresStore } from "./check-postgres-store.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { fillStore } from "./testing/fill-store.ts";
import { PASSWORD } from "./testing/postgres-server.ts";
import { createDatabase, createTemporaryDir, runOn } from "./testing/test-database.ts";

test("a check of a database in use reports its contents and settings, and no problems", async () => {
  const url = await createDatabase();
  await using store = await openPostgresStore({ url, dataDir: createTemporaryDir() });
  await fillStore(store);
  const report = await checkPostgresStore(url);
  expect(report).toMatchObject({
    server: { encoding: "UTF8", synchronousCommit: "on" },
    rows: { sessions: 1, entries: 3, interactions: 1 },
    isInUse: true,
    problems: [],
  });
  expect(JSON.stringify(report)).not.toContain(PASSWORD);
});

test.each([
  ["DELETE FROM holdpoint.events WHERE seq = 2", /^Sessions whose log has gaps: 1\.$/u],
  [
    "UPDATE holdpoint.interactions SET request_seq = 1",
    /^Interactions whose request is not in the log: 1\.$/u,
  ],
  [
    "UPDATE holdpoint.events SET json = replace(json, 'user', 'uzer') WHERE seq = 1",
    /^Entries whose hash no longer matches: 1\.$/u,
  ],
  [
    "SET session_replication_role = replica; DELETE FROM holdpoint.sessions",
    /^Entries of a log whose session is gone: 3\.$/u,
  ],
  [
    "UPDATE holdpoint.schema_version SET version = 999",
    /^The database .* was written by a newer release \(schema 999, /u,
  ],
  [
    "ALTER TABLE holdpoint.schema_version DROP COLUMN functions",
    /^The database .* was written by a version before the first release\./u,
  ],
])("reports a problem after %s", async (sql, problem) => {
  const url = await createDatabase();
  const store = await openPostgresStore({ url, dataDir: createTemporaryDir() });
  await fillStore(store);
  await store[Symbol.asyncDispose]();
  await runOn(url, (client) => client.query(sql));
  const { problems, isInUse } = await checkPostgresStore(url);
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(isInUse).toBe(false);
});
