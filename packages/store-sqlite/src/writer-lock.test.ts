import { expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { startChild } from "./testing/child-process.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

test("[R-17] a data folder in use is refused at once, with the process that has it", async () => {
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

test("[R-17] another process is kept out, also after this one has tried to open the folder twice", async () => {
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
