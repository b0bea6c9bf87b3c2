import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { createSeededRandom } from "@holdpoint/engine/testing";
import type { Client } from "pg";
import { expect, test } from "vitest";

import { openPostgresStore } from "./open-postgres-store.ts";
import { appendNumbered } from "./testing/append-numbered.ts";
import { openCuttingProxy } from "./testing/cutting-proxy.ts";
import { expectWhole, SESSIONS } from "./testing/expect-whole.ts";
import { createDatabase, createTemporaryDir, runOn } from "./testing/test-database.ts";

const KILLS = Number(process.env["CAMPAIGN_CASES"] ?? 6);
const SEED = Number(process.env["CAMPAIGN_SEED"] ?? 1);

function startChild(argv: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL("testing/appending-child.ts", import.meta.url));
  const stdio = ["ignore", "pipe", "inherit"] as const;
  return spawn(process.execPath, ["--conditions=source", file, ...argv], { stdio: [...stdio] });
}

test(
  `[R-2] every acknowledged append survives kill -9, ${KILLS} times in a row, and no batch is stored in part`,
  { timeout: 120_000 + KILLS * 10_000 },
  async ({ annotate }) => {
    const url = await createDatabase();
    const dataDir = createTemporaryDir();
    const acknowledged: string[] = [];
    const epochs = new Set<string>();
    for (let round = 0; round < KILLS; round += 1) {
      const child = startChild([url, dataDir, `${round}`]);
      let left = 1 + ((round * 37) % 101);
      if (child.stdout === null) throw new Error("The child says nothing.");
      for await (const line of createInterface({ input: child.stdout })) {
        acknowledged.push(line);
        // It continues in the meantime, so the kill happens at a random point.
        if ((left -= 1) === 0) child.kill("SIGKILL");
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
      expect(child.signalCode).toBe("SIGKILL");
      await using store = await openPostgresStore({ url, dataDir });
      await expectWhole(store, acknowledged);
      epochs.add(store.epoch);
    }
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    expect(epochs.size).toBe(1);
    await annotate(`${KILLS} kills of a process that appends to Postgres`, "cases");
  },
);

const CUTS = Number(process.env["CAMPAIGN_CASES"] ?? 24);

test(
  `[R-2] ${CUTS} connections cut in the middle of appends lose, double and halve none`,
  { timeout: 120_000 + CUTS * 10_000 },
  async ({ annotate }) => {
    const url = await createDatabase();
    await using proxy = await openCuttingProxy(url);
    const random = createSeededRandom(SEED);
    await using store = await openPostgresStore({ url: proxy.url, dataDir: createTemporaryDir() });
    const acknowledged: string[] = [];
    const over = new AbortController();
    const appending = SESSIONS.map(async (sessionId) => {
      for (let count = 0; !over.signal.aborted; count += 1) {
        acknowledged.push((await appendNumbered(store, sessionId, `${sessionId}-${count}`)).line);
      }
    });
    const kinds = [
      () => runOn(url, endAll),
      async () => {
        proxy.close();
        proxy.open();
      },
      () => proxy.cutAnswerTo("ses_b"),
    ];
    for (let cut = 0; cut < CUTS; cut += 1) {
      await kinds[cut % kinds.length]?.();
      const before = acknowledged.length;
      const more = 1 + Math.floor(random() * 20);
      await expect.poll(() => acknowledged.length, { interval: 2 }).toBeGreaterThan(before + more);
    }
    over.abort();
    await Promise.all(appending);
    const names = await expectWhole(store, acknowledged);
    // Each append was made once and awaited, so nothing unacknowledged exists.
    expect(names.size).toBe(acknowledged.length);
    await annotate(`${CUTS} connections that end in mid-commit`, "cases");
  },
);

async function endAll(client: Client): Promise<void> {
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'holdpoint %' AND datname = current_database()",
  );
}
