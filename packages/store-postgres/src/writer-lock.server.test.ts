import { createSystemClock } from "@holdpoint/engine";
import type pg from "pg";
import { afterEach, describe, expect, test } from "vitest";

import { connect } from "./connect.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { createDatabase } from "./testing/test-database.ts";
import { acquireWriterLock, isWriterLocked } from "./writer-lock.ts";

const clients: pg.Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
});

async function open(url: string, name: string): Promise<pg.Client> {
  const client = await connect(url, name);
  client.on("error", () => undefined);
  clients.push(client);
  return client;
}

function acquire(client: pg.Client, name: string): Promise<string> {
  const { signal } = new AbortController();
  const options = { clock: createSystemClock(), name, address: "it", signal };
  return acquireWriterLock(client, options).then(
    () => "locked",
    (error: unknown) => String(Object(error).code),
  );
}

/** The address for a user of the same server that has no rights on the schema. */
async function addStranger(url: string): Promise<string> {
  const owner = await open(url, "owner");
  const name = `stranger_${Math.floor(performance.now() * 1000)}`;
  await owner.query(`CREATE ROLE ${name} LOGIN PASSWORD 'stranger'`);
  const address = new URL(url);
  address.username = name;
  address.password = "stranger";
  return address.href;
}

describe("a user of the server without rights on the schema", () => {
  test("[R-18] stops no gateway by holding its locks, and is not mistaken for one", async () => {
    const url = await createDatabase();
    const stranger = await open(await addStranger(url), "holdpoint 1 own");
    const held = "SELECT pg_advisory_lock(1215261796), pg_advisory_lock(1215261796, n)";
    await stranger.query(`${held} FROM generate_series(0, 2000) AS n`);
    const gateway = await open(url, "holdpoint 1 own");
    expect(await isWriterLocked(gateway)).toBe(false);
    expect(await acquire(gateway, "holdpoint 1 own")).toBe("locked");
    const other = await open(url, "holdpoint 2 own");
    expect(await isWriterLocked(other)).toBe(true);
    // It sees the lock of the gateway, and takes the same one once the gateway has ended.
    const seen = "SELECT pg_advisory_lock_shared(classid::int, objid::int) FROM pg_locks";
    await gateway.end();
    await stranger.query(`${seen} WHERE locktype = 'advisory' AND pid = pg_backend_pid()`);
    expect(await acquire(other, "holdpoint 2 own")).toBe("locked");
  });

  test("[R-18] stops no migration, neither the first one nor a later one", async () => {
    const url = await createDatabase({ empty: true });
    const stranger = await open(await addStranger(url), "stranger");
    await stranger.query("SELECT pg_advisory_lock(1215261796, n) FROM generate_series(0, 9) AS n");
    const gateway = await open(url, "gateway");
    await migrate(gateway, MIGRATIONS, "it");
    const next = { version: MIGRATIONS.length + 1, sql: "SELECT 1" };
    await migrate(gateway, [...MIGRATIONS, next], "it");
    await expect(stranger.query("BEGIN; LOCK TABLE holdpoint.schema_version")).rejects.toThrow(
      /denied/u,
    );
  });
});

test("[R-1] exactly one of gateways that start at once has the lock, and the next one after its end", async () => {
  const url = await createDatabase();
  const names = ["a", "b", "c", "d"].map((name) => `holdpoint ${name} own`);
  const contenders = await Promise.all(names.map((name) => open(url, name)));
  const results = await Promise.all(
    contenders.map((client, index) => acquire(client, names[index]!)),
  );
  expect(results.toSorted()).toEqual(["STORE_LOCKED", "STORE_LOCKED", "STORE_LOCKED", "locked"]);
  for (const client of contenders) await client.end();
  const next = await open(url, "holdpoint e own");
  expect(await acquire(next, "holdpoint e own")).toBe("locked");
});
