import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, test } from "vitest";

import { backupStore } from "./backup-store.ts";
import { checkStore } from "./check-store.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openSqliteAudit } from "./open-sqlite-audit.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const schemaOf = (database: DatabaseSync): unknown[] =>
  database
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name",
    )
    .all();

const versionOf = (database: DatabaseSync): unknown =>
  database.prepare("PRAGMA user_version").get()?.["user_version"];

test("migrations are numbered from 1 without gaps", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

test("an older database is brought to the newest schema and keeps its rows, and nothing is done twice", () => {
  using database = new DatabaseSync(":memory:");
  const steps = [
    { version: 1, sql: "CREATE TABLE one (id INTEGER)" },
    { version: 2, sql: "ALTER TABLE one ADD COLUMN name TEXT" },
    { version: 3, sql: "UPDATE one SET name = 'none'" },
  ];
  migrate(database, steps.slice(0, 1), "/data/a.db");
  database.exec("INSERT INTO one VALUES (7)");
  migrate(database, steps, "/data/a.db");
  expect(versionOf(database)).toBe(3);
  database.exec("UPDATE one SET name = 'some'");
  migrate(database, steps, "/data/a.db");
  expect(database.prepare("SELECT * FROM one").get()).toEqual({ id: 7, name: "some" });
});

test.each([
  ["the version before it, whole", 1],
  ["a new database empty", 0],
])("a failing migration leaves %s", (_, before) => {
  using database = new DatabaseSync(":memory:");
  const broken = [
    { version: 1, sql: "CREATE TABLE one (id INTEGER)" },
    { version: 2, sql: "CREATE TABLE two (id INTEGER); INSERT INTO missing VALUES (1)" },
  ];
  migrate(database, broken.slice(0, before), "/data/a.db");
  expect(() => migrate(database, broken, "/data/a.db")).toThrow(
    `The database /data/a.db could not be brought from schema ${before} to 2`,
  );
  expect(versionOf(database)).toBe(before);
  expect(schemaOf(database)).toMatchObject(before === 1 ? [{ name: "one" }] : []);
});

const DOORS: readonly (readonly [string, (dataDir: string) => unknown])[] = [
  ["a start", (dataDir) => openSqliteStore({ dataDir })],
  ["a start that accepts a loss", (dataDir) => openSqliteStore({ dataDir, acceptLoss: true })],
  ["a backup", (dataDir) => backupStore(dataDir, join(createTemporaryDir(), "backup.db"))],
  ["an audit", (dataDir) => openSqliteAudit(dataDir)],
  ["a check", (dataDir) => throwProblem(checkStore(dataDir))],
  ["a look of the doctor", (dataDir) => throwProblem(checkStore(dataDir, { thorough: false }))],
];

function throwProblem(report: ReturnType<typeof checkStore>): void {
  throw new Error(report?.problems[0]);
}

/** All files of the folder, byte for byte. */
function bytesIn(dataDir: string): Record<string, string> {
  const names = readdirSync(dataDir, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ name }) => [name, readFileSync(join(dataDir, name)).toString("base64")]),
  );
}

/** A folder whose database another program changed, before it closed or was killed. */
async function leaveForeign(change: string, { isKilled }: { readonly isKilled: boolean }) {
  const dataDir = createTemporaryDir();
  await (await openSqliteStore({ dataDir }))[Symbol.asyncDispose]();
  using other = new DatabaseSync(join(dataDir, "holdpoint.db"));
  other.exec(change);
  if (!isKilled) return dataDir;
  // The version is in the log alone.
  const copy = createTemporaryDir();
  cpSync(dataDir, copy, { recursive: true });
  rmSync(join(copy, "holdpoint.db-shm"));
  return copy;
}

describe.each(DOORS)("%s", (_, open) => {
  test.each([
    ["of a newer release", "PRAGMA user_version = 99", /written by a newer release .schema 99/],
    ["of another program", "PRAGMA application_id = 7", /is a database of another program/],
    [
      "from before the first release",
      "PRAGMA application_id = 1215261796; PRAGMA user_version = 1",
      /was written by a version before the first release\. Use another data folder/,
    ],
  ])("refuses a database %s, and changes no byte of the folder", async (_of, change, words) => {
    for (const isKilled of [false, true]) {
      const dataDir = await leaveForeign(change, { isKilled });
      const before = bytesIn(dataDir);
      await expect((async () => open(dataDir))()).rejects.toThrow(words);
      expect(bytesIn(dataDir)).toEqual(before);
    }
  });
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
