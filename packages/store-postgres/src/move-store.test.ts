import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import type { Store } from "@holdpoint/engine";
import { checkStore, claimDataFolder, openSqliteStore } from "@holdpoint/store-sqlite";
import { expect, test } from "vitest";

import { moveToPostgres, moveToSqlite } from "./move-store.ts";
import { openPostgresStore, type PostgresStoreOptions } from "./open-postgres-store.ts";
import { fillStore, observe } from "./testing/fill-store.ts";
import { createDatabase, createTemporaryDir, runOn } from "./testing/test-database.ts";

async function filledFolder(): Promise<string> {
  const dataDir = createTemporaryDir();
  await using store = await openSqliteStore({ dataDir });
  await fillStore(store);
  return dataDir;
}

async function reading<T extends AsyncDisposable>(
  opening: Promise<T>,
  read: (store: T) => Promise<unknown>,
) {
  await using store = await opening;
  return await read(store);
}

const all = (store: Store & Parameters<typeof observe>[0]) => observe(store);

test("[R-2] a whole data folder is moved into a database and back, and neither can be started by mistake", async () => {
  const dataDir = await filledFolder();
  const url = await createDatabase();
  const options: PostgresStoreOptions = { url, dataDir };
  const before = await reading(openSqliteStore({ dataDir }), all);
  const moved = await moveToPostgres(options);
  expect(Object.entries(moved).filter(([, { rows }]) => rows === 0)).toEqual([]);
  await expect(openSqliteStore({ dataDir })).rejects.toThrow(
    /was moved to postgres:\/\/holdpoint@127/u,
  );
  expect(await reading(openPostgresStore(options), all)).toEqual(before);
  await reading(openPostgresStore(options), async (store) => {
    // Numbers continue after the moved ones.
    await fillStore(store, "more_");
  });
  const later = await reading(openPostgresStore(options), all);

  await moveToSqlite(options);
  await expect(openPostgresStore(options)).rejects.toThrow(/was moved to \//u);
  expect(await reading(openSqliteStore({ dataDir }), all)).toEqual(later);
  expect(checkStore(dataDir)?.problems).toEqual([]);
  expect(readdirSync(dataDir)).toContain("holdpoint.db.moved");
});

test("a move that is killed before its commit leaves both sides as they were, and one killed after it is completed", async () => {
  const dataDir = await filledFolder();
  const url = await createDatabase();
  await runOn(url, (client) =>
    client.query(`
      CREATE FUNCTION public.die() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
      CREATE TRIGGER die BEFORE INSERT ON holdpoint.ask_callbacks
        FOR EACH ROW EXECUTE FUNCTION public.die()`),
  );
  await expect(moveToPostgres({ url, dataDir })).rejects.toMatchObject({ code: "STORE_FAILED" });
  expect(existsSync(join(dataDir, "moved-to"))).toBe(false);
  const { rows } = await runOn(url, (client) => client.query("SELECT 1 FROM holdpoint.sessions"));
  expect(rows).toEqual([]);
  await runOn(url, (client) => client.query("DROP TRIGGER die ON holdpoint.ask_callbacks"));
  const before = await reading(openSqliteStore({ dataDir }), all);
  await moveToPostgres({ url, dataDir });
  expect(await reading(openPostgresStore({ url, dataDir }), all)).toEqual(before);
});

test("a move to a non-empty target and a move of a store in use are refused", async () => {
  const dataDir = await filledFolder();
  const url = await createDatabase();
  {
    await using gateway = await openSqliteStore({ dataDir });
    expect(gateway.epoch).not.toBe("");
    await expect(moveToPostgres({ url, dataDir })).rejects.toMatchObject({ code: "STORE_LOCKED" });
  }
  {
    await using other = await openPostgresStore({ url, dataDir: createTemporaryDir() });
    await other.credentials.add({
      tokenId: "tok_other",
      tokenHash: "other",
      kind: "device",
      person: "Ada",
      label: "",
      createdAtMs: 1,
      seal: "",
    });
  }
  const before = await reading(openSqliteStore({ dataDir }), all);
  await expect(moveToPostgres({ url, dataDir })).rejects.toThrow(/is not empty/u);
  expect(await reading(openSqliteStore({ dataDir }), all)).toEqual(before);
});

test("[R-2] a move from a database older than its gateway has seen is refused, and a completed move is not repeated", async () => {
  const url = await createDatabase();
  const dataDir = createTemporaryDir();
  claimDataFolder(dataDir)[Symbol.dispose]();
  await reading(openPostgresStore({ url, dataDir }), (store) => fillStore(store));
  const older = (by: number) =>
    runOn(url, (client) =>
      client.query("UPDATE holdpoint.history SET generation = generation - $1::integer", [by]),
    );
  await older(1);
  await expect(moveToSqlite({ dataDir, url })).rejects.toMatchObject({
    code: "HISTORY_LOST",
    message: expect.stringContaining("its last 1 writes are missing"),
  });
  await older(-1);
  const before = await reading(openPostgresStore({ url, dataDir }), all);
  await moveToSqlite({ dataDir, url });
  await expect(moveToSqlite({ dataDir, url })).rejects.toThrow(/was moved to/u);
  // The current data continues in another database: no old data returns.
  const next = await createDatabase();
  await moveToPostgres({ dataDir, url: next });
  await expect(moveToSqlite({ dataDir, url })).rejects.toThrow(/was moved to/u);
  expect(await reading(openPostgresStore({ url: next, dataDir }), all)).toEqual(before);
});
