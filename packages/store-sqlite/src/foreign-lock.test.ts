import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { startChild } from "./testing/child-process.ts";
import { sampleSession } from "./testing/sample-session.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const HOLD_MS = 3000;

test("[R-2] while another program holds the database, writes wait and everything else goes on", async () => {
  const dataDir = createTemporaryDir();
  await using store = await openSqliteStore({ dataDir });
  await store.append(sampleSession("ses_1", 1));
  await using child = startChild("foreign-lock-child.ts", [
    join(dataDir, "holdpoint.db"),
    `${HOLD_MS}`,
  ]);
  await child.said(1);
  const written = new AbortController();
  const startMs = performance.now();
  const writes = Promise.all(
    [2, 3, 4].map((count) => store.append(sampleSession("ses_1", 1, `message ${count}`))),
  ).finally(() => written.abort());
  let longestMs = 0;
  for (let lastMs = startMs; !written.signal.aborted; lastMs = performance.now()) {
    await setTimeout(10);
    expect((await store.readEvents("ses_1", { after: 0, limit: 1 })).length).toBe(1);
    longestMs = Math.max(longestMs, performance.now() - lastMs);
  }
  expect((await writes).map(({ status }) => status)).toEqual(["appended", "appended", "appended"]);
  expect(performance.now() - startMs).toBeGreaterThan(HOLD_MS / 2);
  expect(longestMs).toBeLessThan(HOLD_MS / 3);
}, 20_000);
