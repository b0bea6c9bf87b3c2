import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { type Clock, StoreError } from "@holdpoint/engine";
import { expect, onTestFinished, test } from "vitest";

import { MARKER, openPostgresStore, type PostgresStoreOptions } from "./open-postgres-store.ts";
import type { PostgresStore } from "./postgres-store.ts";
import { appendNumbered, numberedBatch } from "./testing/append-numbered.ts";
import { type CuttingProxy, openCuttingProxy } from "./testing/cutting-proxy.ts";
import { expectWhole } from "./testing/expect-whole.ts";
import { fillStore } from "./testing/fill-store.ts";
import { createHastyClock } from "./testing/hasty-clock.ts";
import { createDatabase, createTemporaryDir, runOn } from "./testing/test-database.ts";

async function open(
  url: string,
  options: Partial<PostgresStoreOptions> = {},
): Promise<PostgresStore> {
  const dataDir = options.dataDir ?? createTemporaryDir();
  const store = await openPostgresStore({ url, dataDir, ...options });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

/** Waits until the server has noticed that the gateway is gone. */
async function untilUnlocked(url: string): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await runOn(url, (client) =>
        client.query(
          "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        ),
      );
      return rows;
    })
    .toEqual([]);
}

const grant = {
  grant: {
    grantId: "gnt_1",
    scope: "always",
    toolName: "Bash",
    text: "",
    createdAt: "2025-01-01T00:00:00.000Z",
    by: { person: "Ada", client: "laptop", at: "2025-01-01T00:00:00.000Z" },
  },
  keyHash: "key",
} as const;

test("an append is one round trip, and simultaneous appends share one", async () => {
  await using proxy = await openCuttingProxy(await createDatabase());
  const store = await open(proxy.url);
  await appendNumbered(store, "ses_a", "first");
  const before = proxy.roundTrips();
  for (const name of ["a", "b", "c"]) await appendNumbered(store, "ses_a", name);
  expect(proxy.roundTrips() - before).toBe(3);
  const names = Array.from({ length: 50 }, (_, index) => `many-${index}`);
  await Promise.all(names.map((name) => appendNumbered(store, "ses_b", name)));
  expect(proxy.roundTrips() - before).toBe(4);
});

test("[R-2] a commit whose response is lost is looked up: it is acknowledged, and written once", async () => {
  await using proxy = await openCuttingProxy(await createDatabase());
  const store = await open(proxy.url);
  await appendNumbered(store, "ses_a", "before");
  const cut = proxy.cutAnswerTo("the one");
  const appended = appendNumbered(store, "ses_a", "the one");
  await cut;
  expect(await appended).toMatchObject({ lastSeq: 4 });
  expect(await appendNumbered(store, "ses_a", "after")).toMatchObject({ lastSeq: 6 });
  expect(await expectWhole(store, [])).toEqual(new Set(["before", "the one", "after"]));
});

test("[R-2] a conflict whose response is lost is still reported as that conflict", async () => {
  await using proxy = await openCuttingProxy(await createDatabase());
  const store = await open(proxy.url);
  const cut = proxy.cutAnswerTo("msg_unknown");
  const appended = store.append({ ...numberedBatch("ses_a", "x"), dequeue: ["msg_unknown"] });
  await cut;
  const conflict = { kind: "message", messageId: "msg_unknown" };
  expect(await appended).toEqual({ status: "conflict", conflict });
  expect(await store.getSession("ses_a")).toBeUndefined();
});

test("[R-2] an error of the commit itself rejects, and nothing is written", async () => {
  const url = await createDatabase();
  const store = await open(url);
  await runOn(url, (client) =>
    client.query(`
      CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.json LIKE '%refused%' THEN RAISE 'refused'; END IF; RETURN NEW; END $$;
      CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON holdpoint.events
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refuse()`),
  );
  await appendNumbered(store, "ses_a", "before");
  await expect(appendNumbered(store, "ses_a", "refused")).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: "Writing to the database failed (P0001).",
  });
  expect(await appendNumbered(store, "ses_a", "after")).toMatchObject({ lastSeq: 4 });
});

test("a failing call does not affect calls sent with it, and its error contains no value", async () => {
  const store = await open(await createDatabase());
  const bad = numberedBatch("ses_b", "bad");
  const session = { ...bad.session, updatedAt: "Rosebud" };
  const results = await Promise.allSettled([
    appendNumbered(store, "ses_a", "one"),
    store.append({ ...bad, session }),
    appendNumbered(store, "ses_a", "two"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const [, failed] = results;
  const { reason } = failed as PromiseRejectedResult;
  expect(StoreError.isInstance(reason)).toBe(true);
  expect(JSON.stringify([String(reason), String((reason as Error).cause)])).not.toContain(
    "Rosebud",
  );
});

test("[R-2] while the database is away calls are rejected, and the store recovers without a restart", async () => {
  await using proxy = await openCuttingProxy(await createDatabase());
  const said: string[] = [];
  const store = await open(proxy.url, {
    clock: createHastyClock(),
    onProblem: (line) => said.push(line),
  });
  await appendNumbered(store, "ses_a", "before");
  proxy.close();
  const away = {
    code: "STORE_FAILED",
    message: expect.stringMatching(/^The database is unavailable \(/u),
  };
  // It may be in transit when the connection ends, and then its outcome is unknown.
  const first = appendNumbered(store, "ses_a", "first").then(
    () => ["first"],
    () => [],
  );
  const reading = store.readEvents("ses_a", { limit: 1 });
  await expect(reading).rejects.toMatchObject({ code: "STORE_FAILED" });
  await expect(appendNumbered(store, "ses_a", "still away")).rejects.toMatchObject(away);
  proxy.open();
  await expect.poll(() => said).toHaveLength(2);
  expect(said[1]).toBe("The database is back.");
  await appendNumbered(store, "ses_a", "after");
  const names = ["before", ...(await first), "after"];
  expect(await expectWhole(store, [])).toEqual(new Set(names));
});

test("[R-2] after a silent network failure the outcome is looked up once the network is back", async () => {
  await using proxy = await openCuttingProxy(await createDatabase());
  const store = await open(proxy.url, { clock: createHastyClock() });
  await appendNumbered(store, "ses_a", "before");
  proxy.freeze();
  const appended = appendNumbered(store, "ses_a", "frozen");
  // The old connection still has the lock, and its server waits for data that never comes.
  setImmediate(() => proxy.open());
  const outcome = await appended.then(
    () => "appended",
    (error: unknown) => (StoreError.isInstance(error) ? "rejected" : "unknown"),
  );
  expect(outcome).not.toBe("unknown");
  const names = outcome === "appended" ? ["before", "frozen", "after"] : ["before", "after"];
  await expect
    .poll(
      () =>
        appendNumbered(store, "ses_a", "after").then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);
  expect(await expectWhole(store, [])).toEqual(new Set(names));
});

test.each([
  ["its first settings", "SET search_path"],
  ["the settings of its sockets", "tcp_keepalives_idle"],
  ["the server's settings", "server_version"],
  ["the lock", "pg_try_advisory_lock"],
  ["the history", "FROM holdpoint.history"],
])(
  "[R-2] a connection that fails silently while asking for %s is given up, and the next one writes",
  async (_, text) => {
    await using proxy = await openCuttingProxy(await createDatabase());
    const store = await open(proxy.url, { clock: createHastyClock() });
    await appendNumbered(store, "ses_a", "before");
    const frozen = proxy.freezeAt(text);
    proxy.close();
    proxy.open();
    await frozen;
    const append = (): Promise<boolean> =>
      appendNumbered(store, "ses_a", "after").then(
        () => true,
        () => false,
      );
    await expect.poll(append).toBe(true);
    expect(await expectWhole(store, [])).toEqual(new Set(["before", "after"]));
  },
);

test("[R-2] a write that the network swallowed is given up once the server reports that it is not working on it", async () => {
  await using proxy = await openCuttingProxy(await createDatabase());
  const hasty = createHastyClock();
  // Nothing else ends the connection.
  const after: Clock["after"] = (durationMs, run) =>
    durationMs > 60_000 ? { [Symbol.dispose]: () => undefined } : hasty.after(durationMs, run);
  const store = await open(proxy.url, { clock: { ...hasty, after } });
  await appendNumbered(store, "ses_a", "before");
  const frozen = proxy.freezeAt("the one");
  const appended = appendNumbered(store, "ses_a", "the one").catch(() => undefined);
  await frozen;
  await appended;
  await expect
    .poll(() => appendNumbered(store, "ses_a", "after").catch(() => undefined))
    .toBeDefined();
  expect(await expectWhole(store, [])).toEqual(
    new Set(["before", ...((await appended) ? ["the one"] : []), "after"]),
  );
});

test("[R-2] a write that takes the server long is left alone", async () => {
  const url = await createDatabase();
  const store = await open(url, { clock: createHastyClock() });
  await appendNumbered(store, "ses_a", "before");
  await runOn(url, (client) =>
    client.query(`
      CREATE FUNCTION public.dawdle() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.json LIKE '%slow%' THEN PERFORM pg_sleep(2); END IF; RETURN NEW; END $$;
      CREATE TRIGGER dawdle BEFORE INSERT ON holdpoint.events
        FOR EACH ROW EXECUTE FUNCTION public.dawdle()`),
  );
  const connections = (): Promise<unknown> =>
    runOn(url, async (client) => {
      const { rows } = await client.query(
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      );
      return rows;
    });
  const before = await connections();
  expect(await appendNumbered(store, "ses_a", "slow")).toMatchObject({ lastSeq: 4 });
  expect(await connections()).toEqual(before);
});

test("[R-1] a second gateway is refused, and gets the database when the first one has ended", async () => {
  const url = await createDatabase();
  const first = await open(url);
  await expect(open(url, { clock: createHastyClock() })).rejects.toMatchObject({
    code: "STORE_LOCKED",
    message: expect.stringMatching(
      /^Another gateway \(process \d+ from 127\.0\.0\.1\) uses the database/u,
    ),
  });
  await appendNumbered(first, "ses_a", "mine");
  await first[Symbol.asyncDispose]();
  const second = await open(url);
  expect(await expectWhole(second, [])).toEqual(new Set(["mine"]));
});

test("[R-1] a gateway that slept while another one took the database stops writing and reports it", async () => {
  const url = await createDatabase();
  await using proxy = await openCuttingProxy(url);
  const lost: StoreError[] = [];
  const sleeper = await open(proxy.url, { onLost: (error) => lost.push(error) });
  await appendNumbered(sleeper, "ses_a", "before");
  proxy.close();
  await untilUnlocked(url);
  const next = await open(url);
  await appendNumbered(next, "ses_a", "after");
  const late = appendNumbered(sleeper, "ses_a", "too late");
  proxy.open();
  await expect(late).rejects.toMatchObject({ code: "STORE_LOCKED" });
  await expect(sleeper.getSession("ses_a")).rejects.toMatchObject({ code: "STORE_LOCKED" });
  expect(lost).toHaveLength(1);
  expect(await expectWhole(next, [])).toEqual(new Set(["before", "after"]));
});

test("[R-1] a gateway whose lock was taken away writes nothing after another gateway", async () => {
  const url = await createDatabase();
  const lost: StoreError[] = [];
  const first = await open(url, { onLost: (error) => lost.push(error) });
  await appendNumbered(first, "ses_a", "before");
  await runOn(url, (client) => client.query("UPDATE holdpoint.history SET owner = 'another'"));
  await expect(appendNumbered(first, "ses_a", "after")).rejects.toMatchObject({
    code: "STORE_LOCKED",
    message:
      "Another gateway has taken the database. This one stops, so that only one of them writes.",
  });
  expect(lost).toHaveLength(1);
});

test("[R-2] [R-5] an older copy of the database is refused, and when accepted gets a new epoch and no grants", async () => {
  const url = await createDatabase();
  const dataDir = createTemporaryDir();
  const first = await open(url, { dataDir });
  await appendNumbered(first, "ses_a", "before");
  await first.addGrant(grant);
  await first[Symbol.asyncDispose]();
  const same = await open(url, { dataDir });
  expect(same.epoch).toBe(first.epoch);
  expect(await same.getGrant("gnt_1")).toEqual(grant);
  await same[Symbol.asyncDispose]();
  await runOn(url, (client) =>
    client.query("UPDATE holdpoint.history SET generation = generation - 1"),
  );
  await expect(open(url, { dataDir })).rejects.toMatchObject({
    code: "HISTORY_LOST",
    message: expect.stringMatching(/is older than it was: its last 1 writes are missing/u),
  });
  const accepted = await open(url, { dataDir, acceptLoss: true });
  expect(accepted.epoch).not.toBe(first.epoch);
  expect(await accepted.getGrant("gnt_1")).toBeUndefined();
  await accepted[Symbol.asyncDispose]();
  // Without its mark, missing data cannot be detected: the history gets a new name.
  rmSync(join(dataDir, MARKER));
  expect((await open(url, { dataDir })).epoch).not.toBe(accepted.epoch);
});

test("[R-2] a database that comes back older than it was stops the gateway", async () => {
  const url = await createDatabase();
  await using proxy = await openCuttingProxy(url);
  const lost: StoreError[] = [];
  const store = await open(proxy.url, { onLost: (error) => lost.push(error) });
  for (const name of ["a", "b"]) await appendNumbered(store, "ses_a", name);
  await runOn(url, (client) =>
    client.query("UPDATE holdpoint.history SET generation = generation - 1"),
  );
  proxy.close();
  proxy.open();
  await expect.poll(() => lost).toMatchObject([{ code: "HISTORY_LOST" }]);
  await expect(appendNumbered(store, "ses_a", "c")).rejects.toMatchObject({ code: "HISTORY_LOST" });
});

/** Answers with a value that only its agent may know, and loses the connection before the answer of the database. */
async function answerUnheard(
  store: PostgresStore,
  proxy: CuttingProxy,
): Promise<{ readonly interactionId: string; readonly written: Promise<unknown> }> {
  await fillStore(store);
  const [asked] = (await store.listInteractions({ statuses: ["answered"], limit: 1 })).items;
  const { interaction } = asked!;
  const row = { interaction, secretValues: { pin: "the one" } };
  const cut = proxy.cutAnswerTo("the one");
  const interactions = [{ row, expectedStatus: "answered" }] as const;
  const batch = { ...numberedBatch(interaction.sessionId, "the one"), interactions };
  const written = store.append(batch).catch((error: unknown) => error);
  await cut;
  proxy.close();
  await untilUnlocked(proxy.target);
  return { interactionId: interaction.interactionId, written };
}

test("[R-2] [R-19] a write with unknown outcome keeps the key of its values when another gateway takes the database", async () => {
  const url = await createDatabase();
  await using proxy = await openCuttingProxy(url);
  const [dataDir, otherDir] = [createTemporaryDir(), createTemporaryDir()];
  const store = await open(proxy.url, { dataDir });
  const { interactionId, written } = await answerUnheard(store, proxy);
  copyFileSync(join(dataDir, MARKER), join(otherDir, MARKER));
  const next = await open(url, { dataDir: otherDir });
  proxy.open();
  expect(await written).toMatchObject({
    code: "OUTCOME_UNKNOWN",
    message: expect.stringContaining("The next start shows whether the write was made."),
  });
  await next[Symbol.asyncDispose]();
  const found = await (await open(url, { dataDir })).getInteraction(interactionId);
  expect(found?.secretValues).toEqual({ pin: "the one" });
});

test("[R-2] [R-19] a write with unknown outcome keeps the key of its values when the store is closed", async () => {
  const url = await createDatabase();
  await using proxy = await openCuttingProxy(url);
  const dataDir = createTemporaryDir();
  const store = await open(proxy.url, { dataDir });
  const { interactionId, written } = await answerUnheard(store, proxy);
  await store[Symbol.asyncDispose]();
  expect(await written).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  const found = await (await open(url, { dataDir })).getInteraction(interactionId);
  expect(found?.secretValues).toEqual({ pin: "the one" });
});

test("[R-1] one of two gateways that start at once gets the database", async () => {
  const url = await createDatabase();
  const clock = createHastyClock();
  const started = await Promise.allSettled([open(url, { clock }), open(url, { clock })]);
  expect(started.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const { reason } = started.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  expect(reason).toMatchObject({ code: "STORE_LOCKED" });
});

test("[R-1] the database refuses a stranger's writes, and writes under a used number", async () => {
  const url = await createDatabase();
  const store = await open(url);
  await appendNumbered(store, "ses_a", "mine");
  const write = (owner: string, after: number) =>
    runOn(url, (client) =>
      client.query(
        `SELECT holdpoint.write_all(CASE $1 WHEN 'own' THEN owner ELSE $1 END, generation + $2, '[]')
         FROM holdpoint.history`,
        [owner, after],
      ),
    );
  await expect(write("stranger", 1)).rejects.toMatchObject({ code: "HP002" });
  for (const after of [0, 2, -1]) {
    await expect(write("own", after), `${after}`).rejects.toMatchObject({ code: "HP002" });
  }
  await appendNumbered(store, "ses_a", "mine too");
});

test("[R-1] a database that is replaced by an older copy under a running gateway accepts nothing more from it", async () => {
  const url = await createDatabase();
  const lost: StoreError[] = [];
  const store = await open(url, { onLost: (error) => lost.push(error) });
  await appendNumbered(store, "ses_a", "before");
  await runOn(url, (client) =>
    client.query("UPDATE holdpoint.history SET generation = generation - 1"),
  );
  await expect(appendNumbered(store, "ses_a", "after")).rejects.toMatchObject({
    code: "HISTORY_LOST",
    message: expect.stringContaining("its last 1 writes are missing"),
  });
  expect(lost).toHaveLength(1);
});
