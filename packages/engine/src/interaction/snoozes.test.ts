import type { OverviewFrame } from "@holdpoint/protocol";
import { expect, test, vi } from "vitest";

import { NO_NOTIFICATIONS } from "../ports/notifications.ts";
import { ada, approval, askOnce, bob, openFixture, question } from "../testing/gateway-fixture.ts";

const MINUTE_MS = 60_000;

async function openAsking(options: Parameters<typeof openFixture>[1] = {}, timeoutMs = Infinity) {
  const fixture = await openFixture(
    askOnce((id) => approval(id, timeoutMs === Infinity ? {} : { timeoutMs })),
    { holdTimeoutMs: Infinity, ...options },
  );
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const [asked] = await fixture.interactions("pending");
  const { interactionId } = asked!;
  const inMs = (ms: number): string => new Date(fixture.clock.now() + ms).toISOString();
  const idsOf = async (caller = ada) =>
    (await fixture.gateway.listSnoozes(caller)).items.map((each) => each.interactionId);
  return { fixture, sessionId, interactionId, inMs, idsOf };
}

test("a snoozed request returns at its time, only for that person, and stays pending meanwhile", async () => {
  const { fixture, interactionId, inMs, idsOf } = await openAsking();
  await using _ = fixture;
  const until = inMs(15 * MINUTE_MS);
  expect(await fixture.gateway.snoozeInteraction(ada, interactionId, { until })).toEqual({
    interactionId,
    until,
  });
  expect([await idsOf(), await idsOf(bob)]).toEqual([[interactionId], []]);
  expect(await fixture.interactions("pending")).toHaveLength(1);
  await fixture.clock.advance(15 * MINUTE_MS - 1);
  expect(await idsOf()).toEqual([interactionId]);
  await fixture.clock.advance(1);
  expect(await idsOf()).toEqual([]);
});

test("a snoozed request can return at once, be snoozed again, and be answered", async () => {
  const { fixture, sessionId, interactionId, inMs, idsOf } = await openAsking();
  await using _ = fixture;
  const { gateway } = fixture;
  await gateway.snoozeInteraction(ada, interactionId, { until: inMs(15 * MINUTE_MS) });
  await gateway.endSnooze(ada, interactionId);
  await gateway.endSnooze(ada, interactionId);
  expect(await idsOf()).toEqual([]);
  await gateway.snoozeInteraction(ada, interactionId, { until: inMs(60 * MINUTE_MS) });
  await gateway.snoozeInteraction(ada, interactionId, { until: inMs(15 * MINUTE_MS) });
  await gateway.denyTool(bob, sessionId, { toolCallId: "msg_1" });
  expect(await idsOf()).toEqual([]);
  await expect(
    gateway.snoozeInteraction(ada, interactionId, { until: inMs(MINUTE_MS) }),
  ).rejects.toMatchObject({ code: "INVALID_REQUEST" });
});

test("[R-3] a snoozed request returns before its deadline, with time to answer", async () => {
  const { fixture, interactionId, inMs, idsOf } = await openAsking({}, 10 * MINUTE_MS);
  await using _ = fixture;
  const { gateway, clock } = fixture;
  const later = () =>
    gateway.snoozeInteraction(ada, interactionId, { until: inMs(60 * MINUTE_MS) });
  expect((await later()).until).toBe(inMs(8 * MINUTE_MS));
  await clock.advance(8 * MINUTE_MS);
  expect(await idsOf()).toEqual([]);
  expect((await later()).until).toBe(inMs(MINUTE_MS));
  await clock.advance(MINUTE_MS);
  expect(await idsOf()).toEqual([]);
  expect(await fixture.interactions("pending")).toHaveLength(1);
});

test("[R-2] a snooze is kept by the next gateway", async () => {
  const { fixture, interactionId, inMs } = await openAsking();
  await fixture.gateway.snoozeInteraction(ada, interactionId, { until: inMs(15 * MINUTE_MS) });
  await fixture.gateway[Symbol.asyncDispose]();
  const { store, clock, ids } = fixture;
  await using next = await openFixture(askOnce(question), { store, clock, ids });
  await next.clock.settle();
  expect((await next.gateway.listSnoozes(ada)).items).toMatchObject([{ interactionId }]);
});

test("[R-20] a past or distant time is refused, and so is an unknown request", async () => {
  const { fixture, interactionId, inMs } = await openAsking();
  await using _ = fixture;
  for (const until of [inMs(0), inMs(-1), inMs(8 * 24 * 60 * MINUTE_MS)]) {
    await expect(
      fixture.gateway.snoozeInteraction(ada, interactionId, { until }),
    ).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  }
  await expect(
    fixture.gateway.snoozeInteraction(ada, "int_none", { until: inMs(MINUTE_MS) }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a snooze is reported to all devices and to notifications", async () => {
  const snoozed = vi.fn<typeof NO_NOTIFICATIONS.snoozed>();
  const { fixture, interactionId, inMs } = await openAsking({
    notifications: { ...NO_NOTIFICATIONS, snoozed },
  });
  await using _ = fixture;
  const aborted = new AbortController();
  const types: string[] = [];
  const followed = (async () => {
    for await (const batch of fixture.gateway.followOverview(bob, { signal: aborted.signal })) {
      for (const { json } of batch) types.push((JSON.parse(json) as OverviewFrame).type);
    }
  })().catch(() => undefined);
  await fixture.clock.settle();
  await fixture.gateway.snoozeInteraction(ada, interactionId, { until: inMs(MINUTE_MS) });
  await fixture.clock.settle();
  expect(types).toContain("snoozes_changed");
  const untilMs = fixture.clock.now() + MINUTE_MS;
  expect(snoozed.mock.calls).toEqual([[{ person: "Ada", interactionId, untilMs }]]);
  aborted.abort();
  await followed;
});
