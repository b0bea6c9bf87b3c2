import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, test } from "vitest";

import { isAtLeast, openDatabase } from "./database.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

test("[R-2] commits wait for the disk, and the log is a write-ahead log", () => {
  const path = join(createTemporaryDir(), "a.db");
  using database = openDatabase(path);
  const read = (pragma: string): unknown =>
    Object.values(database.prepare(`PRAGMA ${pragma}`).get()!)[0];
  expect({
    journal: read("journal_mode"),
    synchronous: read("synchronous"),
    foreignKeys: read("foreign_keys"),
    trustedSchema: read("trusted_schema"),
    secureDelete: read("secure_delete"),
  }).toEqual({
    journal: "wal",
    synchronous: 2,
    foreignKeys: 1,
    trustedSchema: 0,
    secureDelete: 1,
  });
});

test.each([
  ["3.51.3", true],
  ["3.51.2", false],
  ["3.52.0", true],
  ["3.53", true],
  ["4.0.0", true],
  ["3.9.9", false],
  ["3.51", false],
])("version %s is at least 3.51.3: %s", (version, expected) => {
  expect(isAtLeast(version, [3, 51, 3])).toBe(expected);
});

describe("a damaged database is refused, with its name and the way out:", () => {
  const damages: [string, (path: string) => void][] = [
    ["something else", (path) => writeFileSync(path, "This is no database. ".repeat(500))],
    ["random bytes", (path) => writeFileSync(path, randomBytes(8192))],
    ["cut short", (path) => truncateSync(path, 4096 * 3)],
    [
      "its first page overwritten",
      (path) => {
        const bytes = readFileSync(path);
        bytes.fill(0xff, 100, 4096);
        writeFileSync(path, bytes);
      },
    ],
  ];
  test.each(damages)("%s", async (_, damage) => {
    const dataDir = createTemporaryDir();
    const path = join(dataDir, "holdpoint.db");
    await (await openSqliteStore({ dataDir }))[Symbol.asyncDispose]();
    damage(path);
    const opening = openSqliteStore({ dataDir });
    await expect(opening).rejects.toMatchObject({ name: "StoreError", code: "STORE_FAILED" });
    await expect(opening).rejects.toThrow(`The database ${path} cannot be opened`);
    await expect(opening).rejects.toThrow("choose another data folder");
  });
});

test.each(["history.marker", "writer.pid", "holdpoint.db", "writer.lock"])(
  "a data folder with a folder called %s in it is refused with STORE_FAILED",
  async (name) => {
    const dataDir = createTemporaryDir();
    mkdirSync(join(dataDir, name));
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({
      name: "StoreError",
      code: "STORE_FAILED",
      message: expect.stringContaining(dataDir),
    });
  },
);

test("a refused store leaves the data folder unlocked", async () => {
  const dataDir = createTemporaryDir();
  const path = join(dataDir, "holdpoint.db");
  writeFileSync(path, "This is no database. ".repeat(500));
  await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({ code: "STORE_FAILED" });
  writeFileSync(path, "");
  await using store = await openSqliteStore({ dataDir });
  expect(await store.listSessions({ limit: 1 })).toEqual({ items: [] });
});

test("a database without its tables is refused, and the data folder stays unlocked", async () => {
  const dataDir = createTemporaryDir();
  await (await openSqliteStore({ dataDir }))[Symbol.asyncDispose]();
  {
    using other = new DatabaseSync(join(dataDir, "holdpoint.db"));
    other.exec("DROP TABLE messages");
  }
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({ code: "STORE_FAILED" });
  }
});

test("a failing read rejects with STORE_FAILED and names no value", async () => {
  const dataDir = createTemporaryDir();
  await using store = await openSqliteStore({ dataDir });
  using other = new DatabaseSync(join(dataDir, "holdpoint.db"));
  other.exec("DROP TABLE sessions");
  await expect(store.getSession("ses_secret")).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.not.stringContaining("secret"),
  });
});

test("a failing write rejects with STORE_FAILED and names no value", async () => {
  const dataDir = createTemporaryDir();
  await using store = await openSqliteStore({ dataDir });
  using other = new DatabaseSync(join(dataDir, "holdpoint.db"));
  other.exec("DROP TABLE sessions");
  await expect(store.append({ sessionId: "ses_secret" })).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.not.stringContaining("secret"),
  });
});
