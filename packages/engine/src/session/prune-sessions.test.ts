import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import { ada, askOnce, type GatewayFixture, openFixture } from "../testing/gateway-fixture.ts";
import { createScriptedAdapter } from "../testing/scripted-adapter.ts";
import { wrapStore } from "../testing/wrapped-store.ts";
import type { PruneRule } from "./prune-sessions.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const OLD = { olderThanDays: 30 };

async function prune({ gateway }: GatewayFixture, rule: PruneRule, dryRun = false) {
  const { sessions } = await gateway.prune({ ...rule, dryRun, limitMs: Infinity });
  return sessions.map(({ sessionId }) => sessionId);
}

async function listed({ gateway }: GatewayFixture) {
  return (await gateway.listSessions(ada, { limit: 100 })).items.map(({ sessionId }) => sessionId);
}

/** Returns nothing; a message "ask" asks, and "work" never ends. */
const script: Parameters<typeof openFixture>[0] = async (message, context) => {
  if (message.content === "ask") return askOnce()(message, context);
  if (message.content === "work") {
    await new Promise<void>((resolve) => context.signal.addEventListener("abort", () => resolve()));
  }
  return { reason: "done" };
};

test("nothing is deleted without a setting, and a dry run deletes nothing", async () => {
  await using fixture = await openFixture(script);
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  await fixture.clock.advance(31 * DAY_MS);
  expect(await prune(fixture, {})).toEqual([]);
  expect(await prune(fixture, OLD, true)).toEqual([sessionId]);
  expect(await listed(fixture)).toEqual([sessionId]);
  expect(await prune(fixture, OLD)).toEqual([sessionId]);
  expect(await listed(fixture)).toEqual([]);
  await expect(fixture.gateway.getSession(ada, sessionId)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a session that is too large is deleted a day after its last change, with its log and its files", async () => {
  await using fixture = await openFixture(script);
  const [large, small] = [await fixture.createSession(), await fixture.createSession()];
  await fixture.send(large, "x".repeat(10_000));
  await fixture.send(small, "x");
  const rule = { largerThanBytes: 9000 };
  expect(await prune(fixture, rule)).toEqual([]);
  await fixture.clock.advance(DAY_MS + 1);
  expect(await prune(fixture, rule)).toEqual([large]);
  expect(await listed(fixture)).toEqual([small]);
});

test("[R-4] an open, late, parked, queued, working or assigned session stays, however old", async () => {
  const passive = { ...createScriptedAdapter(script), isPassive: true as const };
  const otherAgents = new Map([["mcp", passive]]);
  await using fixture = await openFixture(script, { holdTimeoutMs: Infinity, otherAgents });
  const { gateway, clock } = fixture;
  const [pending, working] = [await fixture.createSession(), await fixture.createSession()];
  await fixture.send(pending, "ask");
  await fixture.send(working, "work");
  await fixture.send(working, "queued behind it");
  const { sessionId: owned } = await gateway.createAgentToken(ada, { label: "CI" });
  const done = await fixture.createSession();
  await clock.advance(1000 * DAY_MS);
  expect(await prune(fixture, OLD)).toEqual([done]);
  expect((await listed(fixture)).toSorted()).toEqual([pending, working, owned].toSorted());

  await using late = await openFixture(script);
  const sessionId = await late.createSession();
  await late.send(sessionId, "ask");
  await late.clock.advance(1000 * DAY_MS);
  const [expired] = await late.interactions("expired", "orphaned");
  // It has left the overview, and can still be answered in its session.
  expect(expired).toBeUndefined();
  const { items } = await late.gateway.listInteractions(ada, {
    sessionId,
    status: ["expired"],
    limit: 1,
  });
  expect(items).toHaveLength(1);
  expect(await prune(late, OLD)).toEqual([]);
  await late.gateway.dismissInteraction(ada, items[0]!.interactionId);
  await late.clock.advance(31 * DAY_MS);
  expect(await prune(late, OLD)).toEqual([sessionId]);
});

test("[R-8] a message that comes in the same moment is refused or keeps its session, and is never lost", async () => {
  const store = createMemoryStore();
  let beforeDelete = (): void => undefined;
  const faults = { onCall: () => beforeDelete() };
  await using fixture = await openFixture(script, { store: wrapStore(store, faults) });
  const { gateway, clock } = fixture;
  const outcomes: string[] = [];
  for (let moment = 0; moment < 14; moment += 1) {
    const sessionId = await fixture.createSession();
    await clock.advance(31 * DAY_MS);
    let calls = 0;
    let sent: Promise<string> | undefined;
    const send = () => {
      sent = gateway.sendMessage(ada, sessionId, { content: "go" }).then(
        () => "taken",
        () => "refused",
      );
    };
    beforeDelete = () => {
      calls += 1;
      if (calls === moment) send();
    };
    // The first one started before the check.
    if (moment === 0) send();
    const gone = await prune(fixture, OLD);
    beforeDelete = () => undefined;
    sent ??= Promise.resolve("not sent");
    const outcome = await sent;
    await clock.settle();
    const isThere = (await listed(fixture)).includes(sessionId);
    expect([moment, isThere]).toEqual([moment, !gone.includes(sessionId)]);
    expect([moment, outcome === "taken" && !isThere]).toEqual([moment, false]);
    outcomes.push(outcome);
    if (isThere) await gateway.deleteSession(ada, sessionId);
  }
  expect(new Set(outcomes)).toEqual(new Set(["taken", "refused", "not sent"]));
});

test("a scan that takes too long stops between pages, and continues from there", async () => {
  await using fixture = await openFixture(script);
  for (let index = 0; index < 150; index += 1) await fixture.createSession();
  await fixture.clock.advance(31 * DAY_MS);
  const first = await fixture.gateway.prune({ ...OLD, dryRun: false, limitMs: 0 });
  expect(first.sessions).toHaveLength(100);
  const { nextCursor: cursor } = first;
  const second = await fixture.gateway.prune({ ...OLD, dryRun: false, limitMs: 0, cursor });
  expect(second).toMatchObject({ sessions: { length: 50 } });
  expect(second.nextCursor).toBeUndefined();
  expect(await listed(fixture)).toEqual([]);
});
