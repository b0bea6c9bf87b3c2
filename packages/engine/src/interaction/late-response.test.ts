import { expect, test } from "vitest";

import { ada, askOnce, openFixture, question, say } from "../testing/gateway-fixture.ts";

const answers = { "Which color?": "Blue" };

test("[R-4] an answer after the deadline reaches the agent as a message, once", async () => {
  await using fixture = await openFixture(async (message, context) => {
    if (message.messageId !== "msg_1") return { reason: "done" };
    return askOnce(question)(message, context);
  });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  await fixture.clock.advance(600_000);
  const result = await fixture.gateway.submitAnswers(ada, sessionId, {
    toolCallId: "msg_1",
    answers,
  });
  expect(result).toMatchObject({ status: "accepted", interaction: { status: "answered" } });
  await fixture.clock.settle();
  const told = fixture.adapter.messages.map(({ content }) => content);
  expect(told).toHaveLength(2);
  expect(told[1]).toContain("Question: Which color?");
  expect(told[1]).toContain('Answer: "Blue"');
  const [interaction] = await fixture.interactions("delivered");
  expect(interaction).toMatchObject({ how: "user_message" });
  const tail = (await fixture.events(sessionId)).slice(-5);
  expect(tail).toMatchObject([
    { type: "interaction_response" },
    {
      type: "user_message",
      origin: "late_response",
      interactionId: interaction!.interactionId,
    },
    { type: "turn_started" },
    { type: "interaction_delivered", how: "user_message" },
    { type: "turn_ended" },
  ]);
});

test("[R-8] a late answer waits behind a running turn and is visible in the queue", async () => {
  await using fixture = await openFixture(async (message, context) => {
    const result = await askOnce(question)(message, context);
    if (message.content === "first") {
      await say(context, "more", "still busy");
      await askOnce(question)({ ...message, messageId: "again" }, context);
    }
    return result;
  });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "first");
  await fixture.clock.advance(600_000);
  await fixture.gateway.submitAnswers(ada, sessionId, { toolCallId: "msg_1", answers });
  await fixture.clock.settle();
  expect(fixture.adapter.messages).toHaveLength(1);
  expect((await fixture.gateway.listQueue(ada, sessionId)).items).toMatchObject([
    { origin: "late_response" },
  ]);
  await fixture.gateway.submitAnswers(ada, sessionId, { toolCallId: "again", answers });
  await fixture.clock.settle();
  expect(fixture.adapter.messages).toHaveLength(2);
});

test("[R-5] a late answer is refused with its reason under the policy deny", async () => {
  await using fixture = await openFixture(
    askOnce((toolCallId) => question(toolCallId, { onTimeout: "deny" })),
  );
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  await fixture.clock.advance(600_000);
  const [expired] = await fixture.interactions("expired");
  const result = await fixture.gateway.respond(ada, expired!.interactionId, { action: "cancel" });
  expect(result).toMatchObject({ problem: { code: "EXPIRED", status: 410 } });
});

test("[R-11] a late answer is checked like any other", async () => {
  await using fixture = await openFixture(askOnce());
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  await fixture.clock.advance(600_000);
  const [expired] = await fixture.interactions("expired");
  const { interactionId } = expired!;
  const result = await fixture.gateway.respond(ada, interactionId, { action: "approve" });
  expect(result).toMatchObject({ problem: { code: "INVALID_RESPONSE" } });
  expect(await fixture.interactions("expired")).toHaveLength(1);
});

test("[R-4] a late answer that waits for its turn cannot be removed from the queue, and is sent once", async () => {
  await using fixture = await openFixture(async (message, context) => {
    await askOnce(question)(message, context);
    return askOnce(question)({ ...message, messageId: `${message.messageId}b` }, context);
  });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  await fixture.clock.advance(600_000);
  await fixture.gateway.submitAnswers(ada, sessionId, { toolCallId: "msg_1", answers });
  const [queued] = (await fixture.gateway.listQueue(ada, sessionId)).items;
  await expect(
    fixture.gateway.removeQueuedMessage(ada, sessionId, queued!.messageId),
  ).rejects.toMatchObject({ code: "ALREADY_ANSWERED" });
  await fixture.gateway.submitAnswers(ada, sessionId, { toolCallId: "msg_1b", answers });
  await fixture.clock.settle();
  const said = fixture.adapter.messages.filter(({ content }) => content === queued!.content);
  expect(said).toHaveLength(1);
});
