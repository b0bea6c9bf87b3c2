import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { creation, interactionRow, interactionWrite } from "@holdpoint/engine/testing";
import { describe, expect, test } from "vitest";

import { backupStore } from "./backup-store.ts";
import { checkStore } from "./check-store.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { restoreStore } from "./restore-store.ts";
import { startChild } from "./testing/child-process.ts";
import { expectAcknowledged } from "./testing/expect-acknowledged.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

/** A data folder with one session, a folder for backups, and a place for a restored one. */
async function createPlaces() {
  const root = createTemporaryDir();
  const dataDir = join(root, "data");
  await using store = await openSqliteStore({ dataDir });
  await store.append(creation("ses_1"));
  const { epoch } = store;
  return { dataDir, file: join(root, "backup.db"), restored: join(root, "restored"), root, epoch };
}

describe("[R-2] a backup while a gateway writes", () => {
  test("has everything acknowledged before it, is whole, and is another history once restored", async () => {
    const { dataDir, file, restored, epoch } = await createPlaces();
    await using child = startChild("appending-child.ts", [dataDir, "load", "200"]);
    await child.said(50);
    const acknowledged = [...child.lines];
    const report = await backupStore(dataDir, file);
    await child.said(acknowledged.length + 50);
    await child.kill();

    expect(report.rows.entries).toBeGreaterThanOrEqual(acknowledged.length);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { sha256, rows } = await restoreStore(file, restored);
    expect({ sha256, rows }).toEqual({ sha256: report.sha256, rows: report.rows });
    expect(checkStore(restored)).toMatchObject({ problems: [], rows: report.rows });
    const restoredEpoch = await expectAcknowledged(restored, acknowledged);
    expect(restoredEpoch).not.toBe(epoch);
    // The folder that was copied is as it was.
    expect(await expectAcknowledged(dataDir, child.lines)).toBe(epoch);
  });
});

test("[R-19] contains no readable value of a sensitive field", async () => {
  const { dataDir, file, restored } = await createPlaces();
  const row = {
    ...interactionRow("ses_1", "int_1", {
      status: "answered",
      response: { action: "submit", redacted: ["token"] },
    }),
    secretValues: { token: "s3cret-0123456789" },
  };
  {
    await using store = await openSqliteStore({ dataDir });
    await store.append(interactionWrite(interactionRow("ses_1", "int_1"), undefined));
    await store.append(interactionWrite(row, "pending"));
    await backupStore(dataDir, file);
  }
  expect(readFileSync(file, "latin1")).not.toContain("s3cret");
  await restoreStore(file, restored);
  await using store = await openSqliteStore({ dataDir: restored });
  const found = await store.getInteraction("int_1");
  expect(found?.interaction.status).toBe("answered");
  expect(found).not.toHaveProperty("secretValues");
});

test("a backup overwrites nothing, and leaves no partial file", async () => {
  const { dataDir, file, root } = await createPlaces();
  writeFileSync(file, "mine");
  await expect(backupStore(dataDir, file)).rejects.toThrow(`${file} already exists`);
  expect(readFileSync(file, "utf8")).toBe("mine");
  // A process that was killed in the middle, and one that still runs.
  const other = join(root, "other.db");
  writeFileSync(`${other}.999999999.part`, "half");
  writeFileSync(`${other}.1.part`, "still written");
  await backupStore(dataDir, other);
  expect(readdirSync(root).filter((name) => name.startsWith("other"))).toEqual([
    "other.db",
    "other.db.1.part",
  ]);
  await expect(backupStore(dataDir, join(root, "none", "b.db"))).rejects.toMatchObject({
    name: "StoreError",
  });
  await expect(backupStore(dataDir, join(dataDir, "b.db"))).rejects.toThrow(
    "would be lost with it",
  );
  await expect(backupStore(join(root, "nothing"), join(root, "b.db"))).rejects.toThrow(
    "There is no database",
  );
  expect(existsSync(join(root, "nothing"))).toBe(false);
});

test("a backup of a damaged store is refused", async () => {
  const { dataDir, file } = await createPlaces();
  {
    using database = new DatabaseSync(join(dataDir, "holdpoint.db"));
    database.exec(
      "INSERT INTO events (place, hash, json) VALUES (99 * 4294967296 + 1, zeroblob(32), '{}')",
    );
  }
  await expect(backupStore(dataDir, file)).rejects.toThrow(
    "Entries of a log whose session is gone",
  );
  expect(existsSync(file)).toBe(false);
});

describe("restoring", () => {
  test("refuses a folder that is not empty, and leaves it unchanged", async () => {
    const { dataDir, file, restored } = await createPlaces();
    await backupStore(dataDir, file);
    const before = readdirSync(dataDir);
    await expect(restoreStore(file, dataDir)).rejects.toThrow("is not empty");
    expect(readdirSync(dataDir)).toEqual(before);
    // Files left by a killed restore do not prevent another one.
    mkdirSync(restored, { mode: 0o700 });
    writeFileSync(join(restored, "writer.lock"), "");
    writeFileSync(join(restored, "holdpoint.db.restoring"), "half");
    await restoreStore(file, restored);
    expect(checkStore(restored)?.rows.sessions).toBe(1);
  });

  test.each([
    ["a trigger", "CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM grants; END"],
    ["another table", "CREATE TABLE more (id INTEGER)"],
    ["a newer schema", "PRAGMA user_version = 99"],
    ["the mark of another program", "PRAGMA application_id = 7"],
    ["the mark of a version before the first release", "PRAGMA application_id = 1215261796"],
  ])("[R-6] refuses a file with %s", async (_, sql) => {
    const { dataDir, file, restored } = await createPlaces();
    await backupStore(dataDir, file);
    {
      using database = new DatabaseSync(file);
      database.exec(sql);
    }
    await expect(restoreStore(file, restored)).rejects.toThrow(
      /newer release|not the database|before the first release/,
    );
    expect(readdirSync(restored).toSorted()).toEqual(["writer.lock", "writer.pid"]);
  });

  test("refuses a file that is not a database, and a truncated one", async () => {
    const { dataDir, file, restored, root } = await createPlaces();
    await backupStore(dataDir, file);
    const bytes = readFileSync(file);
    for (const [name, content] of [
      ["text", Buffer.from("no database")],
      ["empty", Buffer.alloc(0)],
      ["short", bytes.subarray(0, bytes.length / 2)],
    ] as const) {
      writeFileSync(join(root, name), content);
      await expect(restoreStore(join(root, name), restored)).rejects.toMatchObject({
        name: "StoreError",
      });
    }
    await expect(restoreStore(join(root, "missing"), restored)).rejects.toThrow("no backup");
  });
});
