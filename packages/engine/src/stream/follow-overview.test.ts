import type { OverviewFrame, Session } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { Store } from "../ports/store.ts";
import {
  ada,
  approval,
  askOnce,
  type GatewayFixture,
  openFixture,
  Reader,
} from "../testing/gateway-fixture.ts";

/** A client's state after these frames. */
function fold(frames: readonly OverviewFrame[]) {
  const sessions = new Map<string, string>();
  const interactions = new Map<string, string>();
  for (const frame of frames) {
    if (frame.type === "snapshot") {
      sessions.clear();
      interactions.clear();
      for (const session of frame.sessions.items) sessions.set(session.sessionId, session.status);
      for (const row of [...frame.pending.items, ...frame.late.items]) {
        interactions.set(row.interactionId, row.status);
      }
    } else if (frame.type === "session_changed") {
      sessions.set(frame.session.sessionId, frame.session.status);
    } else if (frame.type === "session_deleted") {
      sessions.delete(frame.sessionId);
    } else if (frame.type === "interaction_changed") {
      interactions.set(frame.interaction.interactionId, frame.interaction.status);
    }
  }
  return { sessions: Object.fromEntries(sessions), interactions: Object.fromEntries(interactions) };
}

test("begins with the current state, then reports changes", async () => {
  await using fixture = await openFixture(askOnce());
  const first = await fixture.createSession();
  await fixture.send(first, "go");
  await using reader = Reader.overview(fixture.gateway);
  await fixture.clock.settle();
  expect(reader.frames[0]).toMatchObject({
    type: "snapshot",
    counts: { pending: 1, late: 0, sessions: 1, waitingSessions: 1, workingSessions: 0 },
    sessions: { items: [{ sessionId: first, status: "waiting", hasPending: true }] },
    pending: { items: [{ interactionId: "int_1", remainingMs: 600_000 }] },
  });
  const second = await fixture.createSession();
  await fixture.gateway.denyTool(ada, first, { toolCallId: "msg_1" });
  await fixture.clock.settle();
  expect(fold(reader.frames)).toEqual({
    sessions: { [first]: "idle", [second]: "idle" },
    interactions: { int_1: "delivered" },
  });
  await fixture.gateway.deleteSession(ada, second);
  await fixture.clock.settle();
  expect(fold(reader.frames).sessions).toEqual({ [first]: "idle" });
});

test("late requests that can still be answered are in the snapshot, and closed ones are not", async () => {
  await using fixture = await openFixture(
    askOnce((id) => approval(id, { onTimeout: id === "msg_1" ? "wait" : "deny" })),
  );
  for (const content of ["wait", "deny"]) {
    await fixture.send(await fixture.createSession(), content);
  }
  await using before = Reader.overview(fixture.gateway);
  await fixture.clock.advance(600_000);
  await using reader = Reader.overview(fixture.gateway);
  await fixture.clock.settle();
  expect(fold(reader.frames).interactions).toEqual({ int_1: "expired" });
  expect(reader.frames[0]).toMatchObject({
    counts: { pending: 0, late: 1, waitingSessions: 1 },
    sessions: { items: expect.arrayContaining([expect.objectContaining({ hasLate: true })]) },
  });
  const told = before.frames.filter((frame) => frame.type === "session_changed");
  expect(told.filter(({ session }) => session.hasLate)).not.toEqual([]);
});

/** Writes sessions with one pending interaction each, as a gateway before this one would have. */
async function fill(store: Store, count: number, command: string): Promise<void> {
  await using one = await openFixture(askOnce((id) => approval(id, { input: { command } })));
  const first = await one.createSession();
  await one.send(first, "go");
  const session = (await one.store.getSession(first))!;
  const { interaction } = (await one.store.getInteraction("int_1"))!;
  for (let index = 0; index < count; index += 1) {
    const sessionId = `ses_${index}`;
    const ids = { interactionId: `int_${index}`, sessionId };
    const row = { interaction: { ...interaction, ...ids, hold: "queued" as const } };
    await store.append({
      sessionId,
      session: { ...session, sessionId },
      interactions: [{ row, expectedStatus: undefined }],
    });
  }
}

/** The first frame of an overview, and its size. */
async function firstFrameOf({ gateway }: Pick<GatewayFixture, "gateway">) {
  const end = new AbortController();
  const stream = gateway.followOverview(ada, { signal: end.signal });
  const { value: batch = [] } = await stream[Symbol.asyncIterator]().next();
  end.abort();
  const [{ json }] = batch as [{ json: string }];
  const snapshot = JSON.parse(json) as Extract<OverviewFrame, { type: "snapshot" }>;
  return { snapshot, bytes: Buffer.byteLength(json) };
}

test.each([
  [10_000, "small", "ls", 50],
  [1000, "large", "é".repeat(10_000), 1],
  [1000, "larger than the page", "x".repeat(60_000), 0],
])(
  "[R-20] with %i open whose input is %s, the first frame is below 100 kB and counts all",
  async (open, name, command, rows) => {
    const store = createMemoryStore();
    await fill(store, open, command);
    await using fixture = await openFixture(askOnce(), { store });
    const { snapshot, bytes } = await firstFrameOf(fixture);
    console.log(`first frame, ${open} open, input ${name}: ${(bytes / 1000).toFixed(1)} kB`);
    expect(bytes).toBeLessThan(100_000);
    expect(snapshot.pending.items).toHaveLength(rows);
    expect(snapshot.counts).toEqual({
      pending: open,
      late: 0,
      sessions: open,
      waitingSessions: open,
      workingSessions: 0,
    });
    const asking = snapshot.pending.items.map(({ sessionId }) => sessionId);
    const listed = snapshot.sessions.items.map(({ sessionId }) => sessionId);
    expect(listed).toEqual(expect.arrayContaining(asking));
    expect(snapshot.sessions.items.every(({ hasPending }) => hasPending)).toBe(true);
    // The list continues where the page ends.
    const { nextCursor: cursor } = snapshot.pending;
    const next = await fixture.gateway.listInteractions(ada, {
      status: ["pending"],
      limit: 1,
      cursor,
    });
    const all = await fixture.gateway.listInteractions(ada, {
      status: ["pending"],
      limit: rows + 1,
    });
    expect(next.items).toEqual(all.items.slice(rows));
  },
);

test("[R-7] a follower that was too slow gets a new snapshot and ends at the same state", async () => {
  await using fixture = await openFixture(async () => ({ reason: "done" }));
  const frames: OverviewFrame[] = [];
  const end = new AbortController();
  const stream = fixture.gateway.followOverview(ada, { signal: end.signal });
  const iterator = stream[Symbol.asyncIterator]();
  const take = async () => {
    const { value } = await iterator.next();
    for (const { json } of value ?? []) frames.push(JSON.parse(json));
  };
  await take();
  for (let index = 0; index < 5000; index += 1) await fixture.createSession();
  await take();
  await take();
  expect(frames.filter(({ type }) => type === "snapshot")).toHaveLength(2);
  expect(frames.findLast((frame) => "counts" in frame)).toMatchObject({
    counts: { sessions: 5000 },
  });
  end.abort();
  await iterator.return?.();
});

test("presence reports who is connected and whether anyone may answer", async () => {
  await using fixture = await openFixture(async () => ({ reason: "done" }));
  await using reader = Reader.overview(fixture.gateway);
  const presence = async () => {
    await fixture.clock.settle();
    return reader.frames.findLast((frame) => frame.type === "presence");
  };
  expect(await presence()).toMatchObject({ clients: [], answerable: false });
  const leave = new AbortController();
  const second = new AbortController();
  const client = { ...ada, clientId: "cli_1" };
  fixture.gateway.announceClient(client, { signal: leave.signal });
  fixture.gateway.announceClient(client, { signal: second.signal });
  expect(await presence()).toMatchObject({
    clients: [{ clientId: "cli_1", label: "laptop", interactionEnabled: true }],
    answerable: true,
  });
  await fixture.gateway.setInteractionMode(ada, "cli_1", { enabled: false });
  expect(await presence()).toMatchObject({ clients: [{}], answerable: false });
  leave.abort();
  expect(await presence()).toMatchObject({ clients: [{}] });
  second.abort();
  expect(await presence()).toMatchObject({ clients: [] });
});

test("[R-13] a client's choice is remembered while it is away", async () => {
  await using fixture = await openFixture(async () => ({ reason: "done" }));
  const leave = new AbortController();
  const client = { ...ada, clientId: "cli_1" };
  fixture.gateway.announceClient(client, { signal: leave.signal });
  await fixture.gateway.setInteractionMode(ada, "cli_1", { enabled: false });
  leave.abort();
  fixture.gateway.announceClient(client, { signal: new AbortController().signal });
  await using reader = Reader.overview(fixture.gateway);
  await fixture.clock.settle();
  expect(reader.frames.at(-1)).toMatchObject({
    type: "presence",
    clients: [{ interactionEnabled: false }],
  });
});

test("presence is reported even if something changes before every read", async () => {
  await using fixture = await openFixture(async () => ({ reason: "done" }));
  const end = new AbortController();
  const stream = fixture.gateway.followOverview(ada, { signal: end.signal });
  const iterator = stream[Symbol.asyncIterator]();
  await iterator.next();
  fixture.gateway.announceClient({ ...ada, clientId: "cli_1" }, { signal: end.signal });
  const types = new Set<string>();
  for (let round = 0; round < 5; round += 1) {
    await fixture.createSession();
    const { value } = await iterator.next();
    for (const { json } of value ?? []) types.add((JSON.parse(json) as OverviewFrame).type);
  }
  expect(types).toContain("presence");
  end.abort();
  await iterator.return?.();
});

/** The correct counts, computed from the whole store. */
async function countStored({ store, gateway }: GatewayFixture) {
  const { sessions, answerable } = await store.countAnswerable();
  const counts = [...answerable.values()];
  const listed = await gateway.listSessions(ada, { limit: 1000 });
  const isWorking = ({ status, hasPending, hasLate }: Session) =>
    status === "running" && !hasPending && !hasLate;
  return {
    sessions,
    pending: counts.reduce((sum, { pending }) => sum + pending, 0),
    late: counts.reduce((sum, { late }) => sum + late, 0),
    waitingSessions: counts.filter(({ pending, late }) => pending + late > 0).length,
    workingSessions: listed.items.filter(isWorking).length,
  };
}

test("counts stay correct while interactions are asked, answered, missed and deleted at once", async () => {
  await using fixture = await openFixture(
    askOnce((id) => approval(id, { onTimeout: Number(id.slice(4)) % 2 === 0 ? "wait" : "deny" })),
  );
  const { gateway, clock } = fixture;
  await using reader = Reader.overview(gateway);
  const expectRight = async () => {
    await clock.settle();
    const counted = reader.frames.findLast((frame) => "counts" in frame);
    expect(counted).toMatchObject({ counts: await countStored(fixture) });
    return counted && "counts" in counted ? counted.counts : undefined;
  };
  const sessionIds = await Promise.all(Array.from({ length: 40 }, () => fixture.createSession()));
  const send = (sessionId: string) =>
    gateway.sendMessage(ada, sessionId, { content: "go", queue: true });
  await Promise.all(sessionIds.slice(0, 30).map(send));
  expect(await expectRight()).toMatchObject({ pending: 30, waitingSessions: 30, sessions: 40 });
  const pending = await fixture.interactions("pending");
  await Promise.all([
    ...pending
      .slice(0, 10)
      .map(({ interactionId }) => gateway.respond(ada, interactionId, { action: "deny" })),
    ...pending
      .slice(5, 15)
      .map(({ interactionId }) => gateway.respond(ada, interactionId, { action: "deny" })),
    ...pending.slice(12, 18).map(({ sessionId }) => gateway.deleteSession(ada, sessionId)),
    ...sessionIds.slice(30).map(send),
  ]);
  expect(await expectRight()).toMatchObject({ sessions: 34 });
  await clock.advance(600_000);
  const missed = await expectRight();
  expect(missed?.late).toBeGreaterThan(5);
  // A session has one interaction here, and waits for its person as long as an answer is accepted.
  expect(missed).toMatchObject({ pending: 0, waitingSessions: missed?.late });
  const late = await fixture.interactions("expired");
  await Promise.all(late.map(({ sessionId }) => gateway.deleteSession(ada, sessionId)));
  expect(await expectRight()).toMatchObject({ late: 0 });
});

test("counts continue after a restart with the store's content", async () => {
  const store = createMemoryStore();
  await fill(store, 3, "ls");
  await using fixture = await openFixture(askOnce(), { store });
  const { snapshot } = await firstFrameOf(fixture);
  expect(snapshot.counts).toEqual(await countStored(fixture));
  expect(snapshot.counts).toMatchObject({ pending: 3, sessions: 3, waitingSessions: 3 });
});

test("a session left out of the first page is shown as having a pending interaction", async () => {
  const store = createMemoryStore();
  await fill(store, 120, "ls");
  await using fixture = await openFixture(askOnce(), { store });
  const { snapshot } = await firstFrameOf(fixture);
  const { nextCursor: cursor } = snapshot.sessions;
  const further = await fixture.gateway.listSessions(ada, { limit: 100, cursor });
  expect(further.items).toHaveLength(70);
  expect(further.items.every(({ hasPending }) => hasPending)).toBe(true);
});
