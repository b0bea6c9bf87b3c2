import { expect, test } from "vitest";

import { showAddress } from "./address.ts";
import { findServerProblem } from "./check-server.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import {
  createDatabase,
  createTemporaryDir,
  runOn,
  withDatabase,
} from "./testing/test-database.ts";

const GOOD = {
  version: "18.4",
  versionNumber: 180_004,
  encoding: "UTF8",
  fsync: "on",
  fullPageWrites: "on",
  synchronousCommit: "on",
  isStandby: false,
  backend: 1,
};

test.each([
  [{}, /^none$/u],
  [{ synchronousCommit: "remote_apply" }, /^none$/u],
  [{ synchronousCommit: "off" }, /ALTER SYSTEM SET synchronous_commit = on/u],
  [{ fsync: "off" }, /Its setting fsync is off/u],
  [{ fullPageWrites: "off" }, /Its setting full_page_writes is off/u],
  [{ version: "14.9", versionNumber: 140_009 }, /Its Postgres is 14\.9; 15 or newer is needed/u],
  [{ encoding: "SQL_ASCII" }, /createdb --encoding=UTF8/u],
  [{ isStandby: true }, /Name the primary server/u],
])("[R-2] the problem of a server that says %j is %s", (settings, expected) => {
  expect(findServerProblem({ ...GOOD, ...settings }) ?? "none").toMatch(expected);
});

test.each([
  [
    "postgres://ada:Rosebud@db.example:5433/hold?sslmode=require",
    "postgres://ada@db.example:5433/hold",
  ],
  ["postgres://db/hold?password=Rosebud", "postgres://db/hold"],
  ["postgresql:///hold?host=/run/postgresql&password=Rosebud", "postgresql:///run/postgresql/hold"],
])("the address %s is shown as %s", (url, shown) => {
  expect(showAddress(url)).toBe(shown);
});

test("[R-2] a database whose commits do not wait for the disk is refused, and names the setting", async () => {
  const url = await createDatabase();
  const name = new URL(url).pathname.slice(1);
  await runOn(url, (client) => client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`));
  await expect(openPostgresStore({ url, dataDir: createTemporaryDir() })).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringContaining("Its setting synchronous_commit is off"),
  });
});

test("[R-2] a database of another encoding is refused", async () => {
  const url = await createDatabase();
  const name = `ascii_${process.hrtime.bigint()}`;
  await runOn(url, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`),
  );
  const options = { url: withDatabase(url, name), dataDir: createTemporaryDir() };
  await expect(openPostgresStore(options)).rejects.toMatchObject({
    message: expect.stringContaining("Its encoding is SQL_ASCII; UTF8 is needed."),
  });
});

test("a user who may not create a schema gets instructions", async () => {
  const url = await createDatabase({ empty: true });
  const name = `guest_${process.hrtime.bigint()}`;
  await runOn(url, (client) => client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'Rosebud-43'`));
  const guest = new URL(url);
  guest.username = name;
  guest.password = "Rosebud-43";
  const options = { url: guest.href, dataDir: createTemporaryDir() };
  await expect(openPostgresStore(options)).rejects.toMatchObject({
    message: expect.stringMatching(
      /^The schema holdpoint cannot be made in postgres:.*GRANT CREATE ON DATABASE/u,
    ),
  });
});
