import { createSystemClock, StoreError } from "@holdpoint/engine";
import { expect, onTestFinished, test } from "vitest";

import { checkPostgresStore } from "./check-postgres-store.ts";
import { contentsOf, postgresRows } from "./copy-rows.ts";
import type { Mark } from "./history-marker.ts";
import { readHistory, takeHistoryAsNode } from "./history.ts";
import { joinNodes } from "./join-nodes.ts";
import type { LeaseState } from "./lease-life.ts";
import { readSchema } from "./migrate.ts";
import { moveToSqlite } from "./move-store.ts";
import { NodeLease } from "./node-lease.ts";
import {
  type NodeTerm,
  openPostgresStore,
  type PostgresStoreOptions,
} from "./open-postgres-store.ts";
import type { PostgresStore } from "./postgres-store.ts";
import { appendNumbered } from "./testing/append-numbered.ts";
import { openCuttingProxy } from "./testing/cutting-proxy.ts";
import { fillStore } from "./testing/fill-store.ts";
import { createHastyClock } from "./testing/hasty-clock.ts";
import { createDatabase, createTemporaryDir, runOn } from "./testing/test-database.ts";

const KEY = Buffer.alloc(32, 7);

/** Takes the lease for a node, as if any other node's lease had ended. */
async function takeLease(url: string, node: string): Promise<number> {
  return runOn(url, async (client) => {
    await client.query("SET search_path = holdpoint; UPDATE node_lease SET ends_at = 'epoch'");
    const { rows } = await client.query<{ lease: { fence: number } }>(
      "SELECT hold_lease($1, NULL, $2, '1.0.0', 60000, true) AS lease",
      [node, `${node}:4871`],
    );
    return rows[0]?.lease.fence ?? 0;
  });
}

async function openAs(
  url: string,
  term: Pick<NodeTerm, "fence" | "node"> & Partial<NodeTerm>,
  options: Partial<PostgresStoreOptions> = {},
): Promise<PostgresStore> {
  const { signal } = new AbortController();
  const node = { signal, key: KEY, ...term };
  const store = await openPostgresStore({ url, dataDir: createTemporaryDir(), node, ...options });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

const subscription = {
  deviceId: "dev_1",
  person: "Ada",
  endpoint: "https://push.example/1",
  p256dh: "k",
  auth: "a",
  about: "all",
  createdAtMs: 1,
} as const;
const callback = {
  interactionId: "int_1",
  url: "https://ci.example",
  state: "waiting",
  createdAtMs: 1,
  changedAtMs: 1,
} as unknown as Parameters<PostgresStore["callbacks"]["put"]>[0];
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
const credential = {
  tokenId: "tok_1",
  tokenHash: "hash",
  kind: "program",
  person: "Ada",
  label: "It",
  scope: "respond",
  createdAtMs: 1,
  seal: "seal",
} as const;

const upload = {
  sessionId: "ses_a",
  attachmentId: "att_1",
  name: "a.png",
  mediaType: "image/png",
  size: 1,
  data: "AA==",
  uploadedAtMs: 1,
} as unknown as Parameters<PostgresStore["attachments"]["put"]>[0];
const room = { sessionBytes: 9, perSession: 9, gatewayBytes: 9, forgetBeforeMs: 0 };

/** A write of each kind of row that a gateway has. */
const WRITES: readonly ((store: PostgresStore) => Promise<unknown>)[] = [
  (store) => appendNumbered(store, "ses_a", "late"),
  (store) => store.credentials.add(credential),
  (store) => store.notifications.putSubscription(subscription),
  (store) => store.callbacks.put({ ...callback, interactionId: "int_2" }),
  (store) => store.attachments.put(upload, room),
  (store) => store.addGrant(grant),
  (store) => store.usedStates.add("s", { untilMs: 9, nowMs: 1 }),
  (store) => store.deleteSession("ses_a"),
  (store) => store.commit(),
];

test("[R-1] every write of a node that lost the lease is refused in its own transaction, whatever the row", async () => {
  const url = await createDatabase();
  const everything = (): Promise<unknown> =>
    runOn(url, async (client) => {
      await client.query("SET search_path = holdpoint");
      const { rows } = await client.query("SELECT generation FROM history");
      const states = await client.query("SELECT count(*) FROM used_states");
      return [await contentsOf(postgresRows(client)), rows, states.rows];
    });
  for (const write of WRITES) {
    const fence = await takeLease(url, "a");
    const store = await openAs(url, { node: "a", fence });
    await appendNumbered(store, "ses_a", "before");
    const next = await takeLease(url, "b");
    await runOn(url, (client) => takeHistoryAsNode(client, { owner: `${next}.b`, fence: next }));
    const before = await everything();
    await expect(write(store)).rejects.toMatchObject({ code: "STORE_LOCKED" });
    expect(await everything()).toEqual(before);
    await store[Symbol.asyncDispose]();
  }
});

test("[R-1] a node that takes the lease also takes the database, even from a frozen process", async () => {
  const url = await createDatabase();
  const lost: string[] = [];
  const onLost = ({ code }: StoreError): void => void lost.push(code);
  const first = await openAs(url, { node: "a", fence: await takeLease(url, "a") }, { onLost });
  await appendNumbered(first, "ses_a", "one");
  const second = await openAs(url, { node: "b", fence: await takeLease(url, "b") });
  expect(await appendNumbered(second, "ses_a", "two")).toMatchObject({ lastSeq: 4 });
  await expect(appendNumbered(first, "ses_a", "late")).rejects.toMatchObject({
    code: "STORE_LOCKED",
  });
  expect(lost).toEqual(["STORE_LOCKED"]);
  expect(second.epoch).toBe(first.epoch);
});

test("[R-1] a node without the lease opens nothing, and one that loses it stops writing at that moment", async () => {
  const url = await createDatabase();
  const old = await takeLease(url, "a");
  const fence = await takeLease(url, "b");
  const message = "Another node has taken the lease";
  await expect(openAs(url, { node: "a", fence: old })).rejects.toThrow(message);
  const lost = new AbortController();
  const store = await openAs(url, { node: "b", fence, signal: lost.signal });
  const under = appendNumbered(store, "ses_a", "on its way").catch(
    (error: unknown) => (error as StoreError).code,
  );
  lost.abort(new StoreError("STORE_LOCKED", "Lost."));
  expect(await under).toBe("STORE_LOCKED");
  await expect(appendNumbered(store, "ses_a", "late")).rejects.toThrow("Lost.");
});

test("a gateway without other nodes, and a move, leave a database used by nodes alone, also between two connections", async () => {
  const url = await createDatabase();
  const { epoch } = await runOn(url, readHistory);
  await takeLease(url, "a");
  const dataDir = createTemporaryDir();
  await expect(openPostgresStore({ url, dataDir })).rejects.toThrow("Nodes of a cluster use");
  await expect(moveToSqlite({ url, dataDir })).rejects.toThrow("The node at a:4871 works");
  expect(await runOn(url, readHistory)).toMatchObject({ epoch, owner: "" });
  const report = await checkPostgresStore(url);
  expect(report).toMatchObject({ isInUse: true, workingNode: { address: "a:4871" } });
});

test("a node does not take the database of a gateway that has no other nodes", async () => {
  const url = await createDatabase();
  const dataDir = createTemporaryDir();
  await using alone = await openPostgresStore({ url, dataDir });
  const clock = createHastyClock();
  const opening = openAs(url, { node: "a", fence: await takeLease(url, "a") }, { clock });
  await expect(opening).rejects.toMatchObject({ code: "STORE_LOCKED" });
  await appendNumbered(alone, "ses_a", "goes on");
});

test("[R-19] a sensitive value accepted by one node is read by the next one, and no row has it in plain text", async () => {
  const url = await createDatabase();
  const first = await openAs(url, { node: "a", fence: await takeLease(url, "a") });
  await fillStore(first);
  const secrets = await secretsIn(first);
  expect(secrets.length).toBeGreaterThan(0);
  const second = await openAs(url, { node: "b", fence: await takeLease(url, "b") });
  expect(await secretsIn(second)).toEqual(secrets);
  const other = await openAs(url, {
    node: "c",
    fence: await takeLease(url, "c"),
    key: Buffer.alloc(32),
  });
  expect(await secretsIn(other)).toEqual([]);
});

async function secretsIn(store: PostgresStore): Promise<unknown[]> {
  const { items } = await store.listInteractions({ statuses: ["answered"], limit: 100 });
  return items.flatMap(({ secretValues }) => secretValues ?? []);
}

test("all nodes sign with the first one's keys, even if they start at once, and need its cluster secret", async () => {
  const url = await createDatabase({ empty: true });
  const clock = createSystemClock();
  const join = (fill: number, key: Buffer = KEY, isNew = true) =>
    joinNodes({ url, clock, key, isNew, own: async () => ({ gateway: Buffer.alloc(32, fill) }) });
  // In containers their processes have the same number, as here.
  const [first, ...others] = await Promise.all([join(1), join(2), join(3)]);
  expect(others).toEqual([first, first]);
  await expect(join(1, Buffer.alloc(32))).rejects.toThrow("The cluster secret is not the one");
  const { rows } = await runOn(url, (client) =>
    client.query<{ sealed: string }>("SELECT sealed FROM holdpoint.node_keys"),
  );
  expect(Buffer.from(rows[0]!.sealed, "base64url").includes(first.gateway)).toBe(false);
});

test("a node that joins leaves the schema to the node that takes the lease", async () => {
  const url = await createDatabase();
  const release = await runOn(url, readSchema);
  await runOn(url, (client) => client.query("UPDATE holdpoint.schema_version SET functions = ''"));
  const own = async () => ({ gateway: Buffer.alloc(32, 1) });
  await joinNodes({ url, clock: createSystemClock(), key: KEY, isNew: true, own });
  expect(await runOn(url, readSchema)).toEqual({ ...release, functions: "" });
  await openAs(url, { node: "a", fence: await takeLease(url, "a") });
  expect(await runOn(url, readSchema)).toEqual(release);
});

/** A node's lease, its reports about newer releases, and each of its states. */
function openLease(url: string) {
  const said: string[] = [];
  const states: LeaseState[] = [];
  const lease = new NodeLease({
    url,
    node: "old",
    address: "old:1",
    release: "1.0.0",
    clock: createHastyClock(),
    onChange: (state) => states.push(state),
    onProblem: (problem) => void (problem.includes("newer release") && said.push(problem)),
  });
  onTestFinished(() => lease[Symbol.asyncDispose]());
  return { lease, said, states };
}

const bringUpToDate = (url: string): Promise<unknown> =>
  runOn(url, (client) => client.query("UPDATE holdpoint.schema_version SET version = 999"));

test("[R-1] a node takes no lease of a database that a newer release has migrated, and reports that once", async () => {
  const url = await createDatabase();
  await bringUpToDate(url);
  const { lease, said, states } = openLease(url);
  await expect.poll(() => said).toEqual([expect.stringContaining("(schema 999, this one knows")]);
  const fence = await takeLease(url, "new");
  expect(await checkPostgresStore(url)).toMatchObject({ workingNode: { node: "new", fence } });
  await expect.poll(() => lease.state).toMatchObject({ working: { address: "new:4871", fence } });
  expect([said.length, states.map(({ role }) => role)]).toEqual([1, ["standby"]]);
});

test("[R-1] a node gives the lease up if the newer release that migrated the database is gone", async () => {
  const url = await createDatabase();
  await takeLease(url, "new");
  const { said, states } = openLease(url);
  await expect.poll(() => states).toHaveLength(1);
  await bringUpToDate(url);
  await expect.poll(() => said).toHaveLength(1);
  await runOn(url, (client) => client.query("UPDATE holdpoint.node_lease SET ends_at = 'epoch'"));
  await expect.poll(() => states).toHaveLength(2);
  expect(states).toMatchObject([
    { working: { node: "new" } },
    { role: "standby", working: undefined },
  ]);
});

test("a new data folder is refused if devices are signed in with the keys of another one", async () => {
  const url = await createDatabase();
  {
    await using alone = await openPostgresStore({ url, dataDir: createTemporaryDir() });
    await alone.credentials.add(credential);
  }
  const own = async () => ({ gateway: Buffer.alloc(32, 1) });
  const options = { url, clock: createSystemClock(), key: KEY, own };
  await expect(joinNodes({ ...options, isNew: true })).rejects.toThrow("Start the node with that");
  expect(await joinNodes({ ...options, isNew: false })).toEqual(await own());
});

test("[R-2] a database that is older than a node has seen is refused, even if another node wrote it", async () => {
  const url = await createDatabase();
  const { epoch } = await runOn(url, readHistory);
  const dataDir = createTemporaryDir();
  const open = async (node: string, seen?: Mark): Promise<PostgresStore> =>
    openAs(url, { node, fence: await takeLease(url, node), ...(seen && { seen }) }, { dataDir });
  await expect(open("a", { epoch, generation: 12 })).rejects.toMatchObject({
    code: "HISTORY_LOST",
  });
  // A node that has seen nothing yet accepts the state as it is, and grants stay.
  const store = await open("a");
  expect(store.epoch).toBe(epoch);
  await appendNumbered(store, "ses_a", "one");
  await appendNumbered(store, "ses_a", "two");
  await store[Symbol.asyncDispose]();
  await runOn(url, (client) => client.query("UPDATE holdpoint.history SET generation = 1"));
  // Its own writes count when they are newer than what it has seen.
  await expect(open("a", { epoch, generation: 1 })).rejects.toMatchObject({ code: "HISTORY_LOST" });
});

test("the lease is renewed, given back at once, and can be taken when its time is over", async () => {
  const url = await createDatabase();
  const clock = createSystemClock();
  const shared = { url, clock, release: "1.0.0", onProblem: () => undefined };
  const states: string[] = [];
  const open = (node: string): NodeLease =>
    new NodeLease({
      ...shared,
      node,
      address: `${node}:1`,
      onChange: (state) => states.push(`${node} ${state.role}`),
    });
  const first = open("a");
  onTestFinished(() => first[Symbol.asyncDispose]());
  await expect.poll(() => states).toEqual(["a working"]);
  const second = open("b");
  onTestFinished(() => second[Symbol.asyncDispose]());
  await expect.poll(() => second.state).toMatchObject({ working: { address: "a:1", fence: 1 } });
  expect(second.takeSeen()).toMatchObject({ generation: 0 });
  await first[Symbol.asyncDispose]();
  await expect.poll(() => second.state).toMatchObject({ fence: 2 });
});

test("[R-18] a node gives a silently failing connection up while it asks for its lease, and tries again", async () => {
  await using proxy = await openCuttingProxy(await createDatabase());
  const states: string[] = [];
  const frozen = proxy.freezeAt("SET search_path");
  await using _ = new NodeLease({
    url: proxy.url,
    clock: createHastyClock(),
    node: "a",
    address: "a:1",
    release: "1.0.0",
    onProblem: () => undefined,
    onChange: ({ role }) => states.push(role),
  });
  await frozen;
  await expect.poll(() => states).toContain("working");
});
