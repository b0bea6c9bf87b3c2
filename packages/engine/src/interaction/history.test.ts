import { expect, test } from "vitest";

import { historyText } from "../lib/history-text.ts";
import { ada, approval, askOnce, form, openFixture, question } from "../testing/gateway-fixture.ts";

test("an answer is in the history at once, with its question, answer, person and place", async () => {
  await using fixture = await openFixture(askOnce(question));
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "paint it");
  const read = async (words?: string) =>
    (await fixture.gateway.listHistory(ada, { words, limit: 10 })).items;
  expect(await read()).toEqual([]);
  const [asked] = await fixture.interactions("pending");
  await fixture.gateway.respond(ada, asked!.interactionId, {
    action: "submit",
    answers: [{ questionId: "q1", selected: ["b"] }],
  });
  await fixture.clock.settle();
  const entry = {
    interactionId: asked!.interactionId,
    sessionId,
    sessionTitle: "paint it",
    agent: "scripted",
    shown: expect.stringMatching(/^[\da-f]{64}$/u),
    kind: "question",
    toolName: "AskUserQuestion",
    asked: "Which color?",
    action: "submit",
    answer: "Blue",
    by: { person: "Ada", client: "laptop" },
    how: "resumed",
  };
  expect(await read()).toMatchObject([entry]);
  expect(await read("BLUE  which")).toMatchObject([entry]);
  expect(await read("paint")).toMatchObject([entry]);
  expect(await read("green")).toEqual([]);
});

test("a denial has its reason, an approval its scope", async () => {
  await using fixture = await openFixture(askOnce(approval));
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "first");
  await fixture.gateway.denyTool(ada, sessionId, { toolCallId: "msg_1", reason: "Not today." });
  await fixture.clock.settle();
  const { items } = await fixture.gateway.listHistory(ada, { limit: 10 });
  const [denied] = await fixture.interactions("answered", "delivered");
  expect(items).toMatchObject([{ asked: "Run echo msg_1?", action: "deny", answer: "Not today." }]);
  expect(items[0]?.shown).toBe(denied?.approval?.digest);
});

test("[R-19] the history neither shows nor finds a sensitive value", async () => {
  await using fixture = await openFixture(askOnce(form));
  await fixture.send(await fixture.createSession(), "go");
  const [asked] = await fixture.interactions("pending");
  await fixture.gateway.respond(ada, asked!.interactionId, {
    action: "submit",
    values: { email: "ada@example.org", token: "hunter2hunter2" },
  });
  await fixture.clock.settle();
  const { items } = await fixture.gateway.listHistory(ada, { limit: 10 });
  expect(items).toMatchObject([{ answer: "ada@example.org" }]);
  expect(JSON.stringify(items)).not.toContain("hunter2");
  const found = await fixture.gateway.listHistory(ada, { words: "hunter2", limit: 10 });
  expect(found.items).toEqual([]);
});

test("[R-20] the text of a search is bounded, for any size and depth of the input", async () => {
  await using fixture = await openFixture(askOnce(approval));
  await fixture.send(await fixture.createSession(), "go");
  const [asked] = await fixture.interactions("pending");
  let deep: unknown = "end";
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  const input = { deep, long: "x".repeat(200_000) };
  const text = historyText({ ...asked!, approval: { ...asked!.approval!, input } });
  expect(text.length).toBeLessThanOrEqual(4000);
});
