import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { describe, expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { startChild } from "./testing/child-process.ts";
import { sampleSession } from "./testing/sample-session.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

test("[R-17] a data folder in use is refused at once, and the error names the process that uses it", async () => {
  const dataDir = createTemporaryDir();
  await using child = startChild("locking-child.ts", [dataDir]);
  await child.said(1);
  expect(child.lines).toEqual(["opened"]);
  await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({
    name: "StoreError",
    code: "STORE_LOCKED",
    message: expect.stringMatching(
      `Another gateway \\(process ${child.pid}\\) uses the data folder ${dataDir}\\. Stop it`,
    ),
  });
});

test("kill -9 frees the data folder", async () => {
  const dataDir = createTemporaryDir();
  await using child = startChild("locking-child.ts", [dataDir]);
  await child.said(1);
  await child.kill();
  await using store = await openSqliteStore({ dataDir });
  expect(await store.listSessions({ limit: 1 })).toEqual({ items: [] });
});

test("[R-17] another process is kept out, even after this one has tried to open the folder twice", async () => {
  const dataDir = createTemporaryDir();
  await using _ = await openSqliteStore({ dataDir });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({ code: "STORE_LOCKED" });
  }
  await using child = startChild("locking-child.ts", [dataDir]);
  await child.said(1);
  expect(child.lines[0]).toContain(`STORE_LOCKED Another gateway (process ${process.pid})`);
});

test("a closed store frees its data folder", async () => {
  const dataDir = createTemporaryDir();
  await (await openSqliteStore({ dataDir }))[Symbol.asyncDispose]();
  await using child = startChild("locking-child.ts", [dataDir]);
  await child.said(1);
  expect(child.lines).toEqual(["opened"]);
});

/** An open store, and the notices about its folder. */
async function openWatched() {
  const dataDir = join(createTemporaryDir(), "data");
  const clock = new SimulatedClock();
  const problems: string[] = [];
  const losses: string[] = [];
  const store = await openSqliteStore({
    dataDir,
    clock,
    onProblem: (problem) => problems.push(problem),
    onLost: ({ code }) => losses.push(code),
  });
  return { dataDir, clock, store, problems, losses };
}

const LOSSES: readonly (readonly [string, (dataDir: string) => void])[] = [
  ["its lock is removed", (dataDir) => rmSync(join(dataDir, "writer.lock"))],
  [
    "its lock is replaced by a copy",
    (dataDir) => {
      cpSync(join(dataDir, "writer.pid"), join(dataDir, "copy"));
      renameSync(join(dataDir, "copy"), join(dataDir, "writer.lock"));
    },
  ],
  [
    "its lock is replaced by a link to another file",
    (dataDir) => {
      rmSync(join(dataDir, "writer.lock"));
      symlinkSync(join(dataDir, "writer.pid"), join(dataDir, "writer.lock"));
    },
  ],
  ["its database is removed", (dataDir) => rmSync(join(dataDir, "holdpoint.db"))],
  [
    "an empty folder is put in the place of its own",
    (dataDir) => {
      renameSync(dataDir, `${dataDir}-away`);
      mkdirSync(dataDir);
    },
  ],
  [
    "a copy is put in the place of its folder",
    (dataDir) => {
      renameSync(dataDir, `${dataDir}-away`);
      cpSync(`${dataDir}-away`, dataDir, { recursive: true });
    },
  ],
];

describe.each(LOSSES)("a store is lost when %s", (_, lose) => {
  test("[R-17] its next write is refused, and every later one", async () => {
    const { dataDir, store, losses } = await openWatched();
    await using _ = store;
    await store.append(sampleSession("ses_1", 1));
    lose(dataDir);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(store.append(sampleSession("ses_1", 1))).rejects.toMatchObject({
        code: "STORE_LOCKED",
      });
    }
    expect(losses).toEqual(["STORE_LOCKED"]);
  });

  test("[R-17] it notices within a second without a write", async () => {
    const { dataDir, clock, store, losses } = await openWatched();
    await using _ = store;
    lose(dataDir);
    await clock.advance(1000);
    expect(losses).toEqual(["STORE_LOCKED"]);
  });
});

test("[R-17] only the newer one of two stores writes if both have a lock, as on a network file system", async () => {
  const { dataDir, store, losses } = await openWatched();
  await using _ = store;
  await store.append(sampleSession("ses_1", 1));
  {
    using other = new DatabaseSync(join(dataDir, "holdpoint.db"));
    other.exec("UPDATE history SET generation = generation + 1");
  }
  await expect(store.append(sampleSession("ses_1", 1))).rejects.toMatchObject({
    code: "STORE_LOCKED",
  });
  expect(losses).toEqual(["STORE_LOCKED"]);
  expect(await store.readEvents("ses_1", { after: 0, limit: 9 })).toHaveLength(1);
});

test("[R-2] while the data folder is away nothing is acknowledged, and writing resumes when it is back", async () => {
  const { dataDir, clock, store, problems, losses } = await openWatched();
  await using _ = store;
  renameSync(dataDir, `${dataDir}-away`);
  await clock.advance(1000);
  expect(problems).toEqual([expect.stringMatching(/data folder .* cannot be found/)]);
  await expect(store.append(sampleSession("ses_1", 1))).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringContaining("Nothing is stored until it is back"),
  });
  renameSync(`${dataDir}-away`, dataDir);
  expect(await store.append(sampleSession("ses_1", 1))).toMatchObject({ status: "appended" });
  expect(problems).toEqual([expect.any(String), expect.stringMatching(/ is back\.$/)]);
  expect(losses).toEqual([]);
});
