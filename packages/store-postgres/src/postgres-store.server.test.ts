/*
 * A store whose server stands still, or crashes and recovers. The server is separate, so no other test is affected.
 */
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createSystemClock, StoreError } from "@holdpoint/engine";
import type { Client } from "pg";
import { expect, test, vi } from "vitest";

import { openPostgresStore } from "./open-postgres-store.ts";
import { openReader } from "./reader.ts";
import { appendNumbered } from "./testing/append-numbered.ts";
import { expectWhole, SESSIONS } from "./testing/expect-whole.ts";
import { createHastyClock } from "./testing/hasty-clock.ts";
import { startServer } from "./testing/postgres-server.ts";
import { createTemporaryDir, runOn } from "./testing/test-database.ts";

interface Server {
  readonly url: string;
  readonly pid: number;
}

let started: Promise<Server> | undefined;

/** It ends with the process of the tests. */
async function ownServer(): Promise<Server> {
  started ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-server-"));
    const url = await startServer(folder, String(process.pid));
    const pid = Number(
      (await readFile(join(folder, "data/postmaster.pid"), "utf8")).split("\n")[0],
    );
    return { url, pid };
  })();
  return started;
}

/** The server and all its processes. */
async function processesOf({ pid }: Server): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return [pid, ...children.trim().split(/\s+/u).map(Number)];
}

/** As soon as the server takes connections. */
async function runWhenUp<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  return vi.waitFor(() => runOn(url, run), { interval: 100 });
}

async function freshDatabase({ url }: Server): Promise<string> {
  const name = `test_${process.hrtime.bigint()}`;
  await runWhenUp(url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  return url.replace(/\/postgres$/u, `/${name}`);
}

/** Lets it stand still until the result is disposed. */
async function pause(server: Server): Promise<AsyncDisposable> {
  const stopped = await processesOf(server);
  for (const pid of stopped) process.kill(pid, "SIGSTOP");
  return {
    async [Symbol.asyncDispose]() {
      for (const pid of stopped) process.kill(pid, "SIGCONT");
    },
  };
}

/** One of its processes dies: it ends all others, and recovers from its log. */
async function crash({ url }: Server): Promise<void> {
  const { rows } = await runWhenUp(url, (client) =>
    client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'background writer'",
    ),
  );
  process.kill(rows[0]!.pid, "SIGKILL");
}

const ROUNDS = 2;
const LIMITS = { timeout: 90_000 };

test(
  `[R-2] a server that freezes or crashes ${ROUNDS} times during appends loses, doubles and halves none`,
  LIMITS,
  async () => {
    const server = await ownServer();
    const url = await freshDatabase(server);
    await using store = await openPostgresStore({ url, dataDir: createTemporaryDir() });
    const acknowledged: string[] = [];
    const over = new AbortController();
    const refusals: unknown[] = [];
    const appending = SESSIONS.map(async (sessionId) => {
      for (let count = 0; !over.signal.aborted; count += 1) {
        try {
          acknowledged.push((await appendNumbered(store, sessionId, `${sessionId}-${count}`)).line);
        } catch (error: unknown) {
          // Only while it is away, and then it is certain that nothing was written.
          refusals.push(error);
        }
      }
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round % 2 === 1) await crash(server);
      else {
        await using _ = await pause(server);
        await createSystemClock().sleep(200, { signal: over.signal });
      }
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20);
    }
    over.abort();
    await Promise.all(appending);
    const names = await expectWhole(store, acknowledged);
    expect(names.size).toBe(acknowledged.length);
    const isKnown = (error: unknown) =>
      StoreError.isInstance(error) && error.code === "STORE_FAILED";
    expect(refusals.filter((error) => !isKnown(error))).toEqual([]);
    expect(refusals.length).toBeLessThan(acknowledged.length);
  },
);

test(
  "[R-2] while its server is frozen a store takes no new writes, and writes in flight are stored once",
  LIMITS,
  async () => {
    const server = await ownServer();
    const url = await freshDatabase(server);
    const said: string[] = [];
    const options = { clock: createHastyClock(), onProblem: (line: string) => said.push(line) };
    await using store = await openPostgresStore({ url, dataDir: createTemporaryDir(), ...options });
    await appendNumbered(store, "ses_a", "before");
    let onItsWay: Promise<unknown>;
    {
      await using _ = await pause(server);
      onItsWay = appendNumbered(store, "ses_a", "on its way");
      // The next one would go with it.
      await new Promise((done) => setImmediate(done));
      const behind = appendNumbered(store, "ses_a", "behind").catch((error: unknown) => error);
      const refusal = {
        code: "STORE_FAILED",
        message: "The database is unavailable (no answer in time).",
      };
      expect(await behind).toMatchObject(refusal);
      await expect(appendNumbered(store, "ses_a", "later")).rejects.toMatchObject(refusal);
      expect(said).toEqual([refusal.message]);
    }
    expect(await onItsWay).toMatchObject({ lastSeq: 4 });
    expect(said.at(-1)).toBe("The database is back.");
    await appendNumbered(store, "ses_a", "after");
    expect(await expectWhole(store, [])).toEqual(new Set(["before", "on its way", "after"]));
  },
);

test("[R-18] a read from a frozen server ends, and so does closing", LIMITS, async () => {
  const server = await ownServer();
  const url = await freshDatabase(server);
  const clock = createSystemClock();
  const reader = openReader({ url, name: "holdpoint test", clock, answerLimitMs: 300 });
  const one = () => reader.read("SELECT 1 AS one");
  expect(await one()).toEqual([{ one: 1 }]);
  {
    await using _ = await pause(server);
    await expect(one()).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: "Reading from the database failed (no answer in time, ETIMEDOUT).",
    });
    void one().catch(() => undefined);
    await reader[Symbol.asyncDispose]();
  }
});
