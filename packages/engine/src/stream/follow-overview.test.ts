import type { OverviewFrame } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { ada, approval, askOnce, openFixture, Reader } from "../testing/gateway-fixture.ts";

/** What a client makes of the stream. */
function fold(frames: readonly OverviewFrame[]) {
  const sessions = new Map<string, string>();
  const interactions = new Map<string, string>();
  for (const frame of frames) {
    if (frame.type === "snapshot") {
      sessions.clear();
      interactions.clear();
      for (const session of frame.sessions) sessions.set(session.sessionId, session.status);
      for (const row of frame.interactions) interactions.set(row.interactionId, row.status);
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

test("begins with what there is, then tells what changes", async () => {
  await using fixture = await openFixture(askOnce());
  const first = await fixture.createSession();
  await fixture.send(first, "go");
  await using reader = Reader.overview(fixture.gateway);
  await fixture.clock.settle();
  expect(reader.frames[0]).toMatchObject({
    type: "snapshot",
    sessions: [{ sessionId: first, status: "waiting" }],
    interactions: [{ interactionId: "int_1", remainingMs: 600_000 }],
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

test("late ones that can still be answered are in the snapshot, closed ones are not", async () => {
  await using fixture = await openFixture(
    askOnce((id) => approval(id, { onTimeout: id === "msg_1" ? "wait" : "deny" })),
  );
  for (const content of ["wait", "deny"]) {
    await fixture.send(await fixture.createSession(), content);
  }
  await fixture.clock.advance(600_000);
  await using reader = Reader.overview(fixture.gateway);
  await fixture.clock.settle();
  expect(fold(reader.frames).interactions).toEqual({ int_1: "expired" });
});

test("[R-20] what does not fit into the snapshot follows in bounded batches", async () => {
  await using fixture = await openFixture(
    askOnce((id) => approval(id, { input: { command: "x".repeat(100_000) } })),
  );
  for (let index = 0; index < 20; index += 1) {
    await fixture.send(await fixture.createSession(), "go");
  }
  await using reader = Reader.overview(fixture.gateway);
  await fixture.clock.settle();
  expect(Object.keys(fold(reader.frames).interactions)).toHaveLength(20);
  for (const batch of reader.batches) {
    const size = batch.reduce((sum, { json }) => sum + json.length, 0);
    expect(size).toBeLessThan(512 * 1024);
  }
});

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
  expect(Object.keys(fold(frames).sessions)).toHaveLength(1000);
  end.abort();
  await iterator.return?.();
});

test("presence tells who is here and whether anybody may answer", async () => {
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

test("[R-13] the choice of a client is remembered while it is away", async () => {
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
