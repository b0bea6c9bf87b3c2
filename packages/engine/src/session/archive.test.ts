import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import {
  ada,
  askOnce,
  type GatewayFixture,
  openFixture,
  question,
  Reader,
} from "../testing/gateway-fixture.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const answers = { "Which color?": "Blue" };

async function listed({ gateway }: GatewayFixture, archived: "no" | "only", words?: string) {
  const query = { archived, limit: 10, ...(words !== undefined && { words }) };
  return (await gateway.listSessions(ada, query)).items.map(({ sessionId }) => sessionId);
}

/** The newest counts that a follower knows. */
async function countsOf({ gateway, clock }: GatewayFixture) {
  await using reader = Reader.overview(gateway);
  await clock.settle();
  return reader.frames.findLast((frame) => "counts" in frame)?.counts;
}

test("an archived session is missing from the list and the counts, even after a restart, until it is restored", async () => {
  const store = createMemoryStore();
  const [clock, ids] = [new SimulatedClock(), createSequentialIds()];
  const first = await openFixture(askOnce(), { store, clock, ids });
  const [kept, away] = [await first.createSession(), await first.createSession()];
  const archived = await first.gateway.updateSession(ada, away, { archived: true });
  expect(archived.archivedAt).toBe(new Date(clock.now()).toISOString());
  expect([await listed(first, "no"), await listed(first, "only")]).toEqual([[kept], [away]]);
  expect(await countsOf(first)).toMatchObject({ sessions: 1 });
  await first.gateway.close();
  await using second = await openFixture(askOnce(), { store, clock, ids });
  expect(await countsOf(second)).toMatchObject({ sessions: 1 });
  await clock.advance(1000);
  // Twice is once.
  await second.gateway.updateSession(ada, away, { archived: true });
  expect((await second.gateway.getSession(ada, away)).archivedAt).toBe(archived.archivedAt);
  await second.gateway.updateSession(ada, away, { title: "Named" });
  expect(await listed(second, "only")).toEqual([away]);
  const back = await second.gateway.updateSession(ada, away, { archived: false });
  expect(back).not.toHaveProperty("archivedAt");
  expect(await listed(second, "no")).toEqual(expect.arrayContaining([kept, away]));
  expect(await countsOf(second)).toMatchObject({ sessions: 2 });
  const told = (await second.events(away)).filter(({ type }) => type === "session_updated");
  expect(told).toMatchObject([{ archived: true }, { archived: true }, {}, { archived: false }]);
});

test("a message restores an archived session", async () => {
  await using fixture = await openFixture(askOnce());
  const sessionId = await fixture.createSession();
  await using reader = Reader.overview(fixture.gateway);
  await fixture.gateway.updateSession(ada, sessionId, { archived: true });
  await fixture.clock.settle();
  expect(reader.frames.findLast((frame) => "counts" in frame)?.counts.sessions).toBe(0);
  await fixture.send(sessionId, "go");
  expect(await fixture.gateway.getSession(ada, sessionId)).not.toHaveProperty("archivedAt");
  expect(await listed(fixture, "no")).toEqual([sessionId]);
  expect(reader.frames.findLast((frame) => "counts" in frame)?.counts.sessions).toBe(1);
});

test("a working or waiting session cannot be archived, and the first of two requests wins", async () => {
  await using fixture = await openFixture(askOnce(question));
  const sessionId = await fixture.createSession();
  const { gateway } = fixture;
  await fixture.send(sessionId, "go");
  await expect(gateway.updateSession(ada, sessionId, { archived: true })).rejects.toMatchObject({
    code: "TURN_RUNNING",
  });
  expect(await listed(fixture, "no")).toEqual([sessionId]);
  await gateway.stopTurn(ada, sessionId);
  await fixture.clock.settle();
  await Promise.allSettled([
    gateway.updateSession(ada, sessionId, { archived: true }),
    gateway.sendMessage(ada, sessionId, { content: "again" }),
  ]);
  await fixture.clock.settle();
  expect(await gateway.getSession(ada, sessionId)).toMatchObject({ status: "waiting" });
  expect(await listed(fixture, "no")).toEqual([sessionId]);
});

test("[R-4] a request in an archived session stays in the inbox, and its answer restores the session", async () => {
  await using fixture = await openFixture(async (message, context) => {
    if (message.messageId !== "msg_1") return { reason: "done" };
    return askOnce(question)(message, context);
  });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  await fixture.clock.advance(600_000);
  await fixture.gateway.updateSession(ada, sessionId, { archived: true });
  expect(await fixture.interactions("expired")).toHaveLength(1);
  expect(await countsOf(fixture)).toMatchObject({ sessions: 0, late: 1, waitingSessions: 1 });
  await using reader = Reader.overview(fixture.gateway);
  await fixture.clock.settle();
  expect(reader.frames[0]).toMatchObject({
    sessions: { items: [{ sessionId, hasLate: true, archivedAt: expect.any(String) }] },
    late: { items: [{ sessionId }] },
  });
  await fixture.gateway.submitAnswers(ada, sessionId, { toolCallId: "msg_1", answers });
  await fixture.clock.settle();
  expect(await listed(fixture, "no")).toEqual([sessionId]);
  expect(await countsOf(fixture)).toMatchObject({ sessions: 1, late: 0 });
});

test("deleting an archived session leaves the other counts correct, and words find one by title or directory", async () => {
  await using fixture = await openFixture(askOnce());
  const { gateway } = fixture;
  const one = await fixture.createSession();
  const create = async (title: string, cwd: string) =>
    (await gateway.createSession(ada, { agent: "scripted", title, cwd })).sessionId;
  const bills = await create("Fällige Rechnungen", "/work/shop");
  const tests = await create("Tests", "/work/\u00c4rger");
  for (const sessionId of [bills, tests]) {
    await gateway.updateSession(ada, sessionId, { archived: true });
  }
  expect(await listed(fixture, "only", "FÄLLIGE work")).toEqual([bills]);
  expect(await listed(fixture, "only", "ärger")).toEqual([tests]);
  expect(await listed(fixture, "no", "Tests")).toEqual([]);
  await gateway.deleteSession(ada, bills);
  expect(await countsOf(fixture)).toMatchObject({ sessions: 1 });
  await gateway.deleteSession(ada, one);
  expect(await countsOf(fixture)).toMatchObject({ sessions: 0 });
});
