import { type Ask, type AskBody, ProtocolError } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { ask } from "./ask.ts";
import { type AskCalls, settleAsk } from "./settle-ask.ts";

/** A gateway that returns the outcome of the ask at once, and records asks and withdrawals. */
function createCalls(ended: Partial<Ask>) {
  const asked: AskBody[] = [];
  const withdrawn: string[] = [];
  const answer: Ask = {
    interactionId: "int_1",
    kind: "approval",
    status: "delivered",
    cardUrl: "/i/int_1",
    startedAt: "2026-01-01T00:00:00.000Z",
    ...ended,
  };
  const calls = {
    createAsk: async (body: AskBody) => {
      asked.push(body);
      return answer;
    },
    getAsk: async () => answer,
    withdrawAsk: async (interactionId: string) => {
      withdrawn.push(interactionId);
      return { ...answer, status: "delivered" as const };
    },
  };
  return { calls: calls as unknown as AskCalls, asked, withdrawn };
}

const asked = { label: "deploy.sh", prompt: "Deploy?" };

describe("[R-5] an outcome without a yes", () => {
  test.each(["expired", "withdrawn"] as const)("is an ask that is %s", async (status) => {
    const { calls } = createCalls({ status });
    expect(await ask(calls, asked)).toEqual({ status });
    expect(await ask(calls, { ...asked, choices: ["a", "b"] })).toEqual({ status });
    const schema = z.object({ name: z.string() });
    expect(await ask(calls, { ...asked, schema })).toEqual({ status });
  });

  test.each(["deny", "cancel"] as const)("is the action %s", async (action) => {
    const { calls } = createCalls({ response: { action, reason: "Not now." } });
    expect(await ask(calls, asked)).toEqual({ status: "declined", reason: "Not now." });
  });
});

test("[R-5] delivers each comment once, and waits for the next one at once", async () => {
  const { calls } = createCalls({ status: "pending" });
  const comment = (text: string) => ({
    text,
    by: { person: "Ada", at: "2026-01-01T00:00:00.000Z" },
  });
  const comments = ["Which one?", "Approve: yes."].map(comment);
  const queries: unknown[] = [];
  const steps: Partial<Ask>[] = [
    { comments: comments.slice(0, 1) },
    { comments },
    { comments, status: "delivered", response: { action: "deny" } },
  ];
  const asking: AskCalls = {
    ...calls,
    getAsk: async (interactionId, query) => {
      queries.push(query);
      return { ...(await calls.getAsk(interactionId, query)), ...steps.shift() };
    },
  };
  const told: string[] = [];
  const clock = { now: () => 0, monotonic: () => 0, sleep: async () => undefined };
  const body = { kind: "approval", ...asked } as const;
  const options = {
    clock: clock as never,
    onComment: ({ text }: { text: string }) => void told.push(text),
  };
  const ended = await settleAsk(asking, body, options);
  expect(ended.response).toEqual({ action: "deny" });
  expect(told).toEqual(["Which one?", "Approve: yes."]);
  expect(queries).toMatchObject([{ comments: 0 }, { comments: 1 }, { comments: 2 }]);
});

test("[R-6] the value of a yes is the input that may run, not the requested one", async () => {
  const { calls } = createCalls({ response: { action: "approve" }, input: { version: "2" } });
  const outcome = await ask(calls, { ...asked, input: { version: "1" } });
  expect(outcome).toEqual({ status: "answered", value: { version: "2" } });
});

test("[R-19] an answer with sensitive values is complete, and its receipt is confirmed", async () => {
  const response = { action: "submit", values: { pin: "1234" }, redacted: ["pin"] } as const;
  const { calls, withdrawn } = createCalls({
    status: "answered",
    response: { ...response, redacted: ["pin"] },
  });
  const outcome = await ask(calls, { ...asked, schema: z.object({ pin: z.string() }) });
  expect(outcome).toEqual({ status: "answered", value: { pin: "1234" } });
  expect(withdrawn).toEqual(["int_1"]);
});

test("an answer that does not fit the schema is an error, and not an answer", async () => {
  const { calls } = createCalls({ response: { action: "submit", values: { count: "many" } } });
  const asking = ask(calls, { ...asked, schema: z.object({ count: z.number() }) });
  await expect(asking).rejects.toMatchObject({ code: "BAD_ANSWER" });
});

test.each(["INVALID_REQUEST", "KEY_REUSED", "TOO_MANY_PENDING", "FORBIDDEN"] as const)(
  "[R-5] a refusal with %s is thrown unchanged, without another request",
  async (code) => {
    const { calls, asked: bodies, withdrawn } = createCalls({});
    const extras = { fieldErrors: { "callback.url": "Not there." } };
    const refusal = new ProtocolError(code, "Refused.", extras);
    const refusing = {
      ...calls,
      createAsk: async (body: AskBody) => {
        bodies.push(body);
        throw refusal;
      },
    };
    await expect(ask(refusing, asked)).rejects.toBe(refusal);
    expect([bodies.length, withdrawn]).toEqual([1, []]);
    // A failure during the wait is thrown as well, and is not an answer.
    const waiting = createCalls({ status: "pending" });
    const lost = { ...waiting.calls, getAsk: () => Promise.reject(refusal) };
    await expect(ask(lost, asked)).rejects.toBe(refusal);
  },
);

test("[R-18] an abort withdraws the ask, and rejects with its reason", async () => {
  const { calls, withdrawn } = createCalls({ status: "pending" });
  const stop = new AbortController();
  const asking = ask(calls, { ...asked, signal: stop.signal });
  await Promise.resolve();
  const reason = new Error("Stopped.");
  setImmediate(() => stop.abort(reason));
  await expect(asking).rejects.toBe(reason);
  expect(withdrawn).toEqual(["int_1"]);
});

test("a callback is sent with every kind of ask, if one is named", async () => {
  const callback = { url: "https://ci.example.org/done" };
  const { calls, asked: bodies } = createCalls({ status: "expired" });
  await ask(calls, { ...asked, callback });
  await ask(calls, { ...asked, callback, choices: ["a", "b"] });
  await ask(calls, { ...asked, callback, schema: z.object({ name: z.string() }) });
  await ask(calls, asked);
  expect(bodies.map((body) => body.callback)).toEqual([callback, callback, callback, undefined]);
});
