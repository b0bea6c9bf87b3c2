import { expect, test } from "vitest";

import { ada, approval, askOnce, openFixture, question } from "../testing/gateway-fixture.ts";

const OVER_MS = 600_000;

async function openExpired(patch: Parameters<typeof question>[1] = {}) {
  const fixture = await openFixture(askOnce((toolCallId) => question(toolCallId, patch)));
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  await fixture.clock.advance(OVER_MS);
  const [interaction] = await fixture.interactions("expired");
  return { fixture, sessionId, interactionId: interaction!.interactionId };
}

test("[R-5] a person dismisses an expired request: it is closed, and the agent gets nothing", async () => {
  const { fixture, sessionId, interactionId } = await openExpired();
  await using _ = fixture;
  const { messages } = fixture.adapter;
  const before = messages.length;
  const dismissed = await fixture.gateway.dismissInteraction(ada, interactionId);
  const closed = { status: "withdrawn", closedReason: "Dismissed by Ada." };
  expect(dismissed).toMatchObject(closed);
  await fixture.clock.settle();
  expect(messages).toHaveLength(before);
  expect((await fixture.events(sessionId)).at(-1)).toMatchObject({
    type: "interaction_closed",
    status: "withdrawn",
    reason: "Dismissed by Ada.",
  });
  const late = await fixture.gateway.respond(ada, interactionId, {
    action: "submit",
    answers: [{ questionId: "q1", selected: ["b"] }],
  });
  expect(late).toMatchObject({ status: "refused", problem: { code: "WITHDRAWN" } });
  // A second dismissal is not an error, and writes nothing.
  const { lastSeq } = await fixture.gateway.getSession(ada, sessionId);
  expect(await fixture.gateway.dismissInteraction(ada, interactionId)).toMatchObject(closed);
  expect((await fixture.gateway.getSession(ada, sessionId)).lastSeq).toBe(lastSeq);
});

test("[R-1] the first of a late answer and a dismissal wins", async () => {
  const { fixture, interactionId } = await openExpired();
  await using _ = fixture;
  const body = { action: "submit" as const, answers: [{ questionId: "q1", selected: ["b"] }] };
  const [answer, dismissal] = await Promise.allSettled([
    fixture.gateway.respond(ada, interactionId, body),
    fixture.gateway.dismissInteraction(ada, interactionId),
  ]);
  expect(answer).toMatchObject({ value: { status: "accepted" } });
  expect(dismissal).toMatchObject({ reason: { code: "ALREADY_ANSWERED" } });
});

test("[R-5] a request that takes no late answer is not changed by a dismissal", async () => {
  const { fixture, interactionId } = await openExpired({ onTimeout: "deny" });
  await using _ = fixture;
  const { status } = await fixture.gateway.dismissInteraction(ada, interactionId);
  expect(status).toBe("expired");
});

test("[R-5] a pending request cannot be dismissed", async () => {
  await using fixture = await openFixture(askOnce(approval));
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const [pending] = await fixture.interactions("pending");
  await expect(
    fixture.gateway.dismissInteraction(ada, pending!.interactionId),
  ).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  expect(await fixture.interactions("pending")).toHaveLength(1);
  await expect(fixture.gateway.dismissInteraction(ada, "int_none")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("[R-13] a client with interaction off dismisses nothing, and neither does an agent", async () => {
  const { fixture, interactionId } = await openExpired();
  await using _ = fixture;
  const phone = { ...ada, clientId: "phone" };
  await fixture.gateway.setInteractionMode(phone, "phone", { enabled: false });
  await expect(fixture.gateway.dismissInteraction(phone, interactionId)).rejects.toMatchObject({
    code: "INTERACTION_DISABLED",
  });
  await expect(
    fixture.gateway.dismissInteraction({ ...ada, principal: "agent" }, interactionId),
  ).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await fixture.interactions("expired")).toHaveLength(1);
});
