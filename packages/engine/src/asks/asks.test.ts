import type { Ask, AskBody } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import { aDeploy, openAskScene, type AskScene } from "../testing/ask-scene.ts";
import { ada, never } from "../testing/gateway-fixture.ts";
import { type StoreFaults, wrapStore } from "../testing/wrapped-store.ts";

const form: AskBody = {
  kind: "form",
  label: "login.sh",
  prompt: "Sign in",
  inputSchema: {
    type: "object",
    properties: { user: { type: "string" }, password: { type: "string", sensitive: true } },
  },
};

/** A gateway with one program, which has made this ask. */
async function openAsked(body: AskBody = aDeploy(), scene?: AskScene) {
  const opened = scene ?? (await openAskScene());
  const { caller, sessionId } = await opened.program("CI");
  return { ...opened, caller, sessionId, ask: await opened.gateway.createAsk(caller, body) };
}

describe("an ask", () => {
  test("is a pending interaction in the session of its token, and names the asker", async () => {
    await using scene = await openAsked();
    expect(scene.ask).toMatchObject({
      status: "pending",
      cardUrl: `/i/${scene.ask.interactionId}`,
    });
    const [pending, ...others] = await scene.interactions("pending");
    expect(others).toEqual([]);
    expect(pending).toMatchObject({
      sessionId: scene.sessionId,
      hold: "kept",
      agentId: "CI: deploy.sh",
      prompt: "Deploy 1.4.2?",
      approval: { scopes: ["once"], display: { title: "Deploy 1.4.2?" } },
    });
    expect(pending).not.toHaveProperty("deadlineAt");
    expect(await scene.eventTypes(scene.sessionId)).toEqual([
      "turn_started",
      "interaction_request",
      "turn_ended",
    ]);
  });

  test("[R-2] is one write, so that no kill leaves its turn without an end", async () => {
    const inner = createMemoryStore();
    const faults: StoreFaults = {};
    const first = await openAskScene({ store: wrapStore(inner, faults) });
    const { caller, sessionId } = await first.program("CI");
    let calls = 0;
    faults.onCall = () => (calls += 1);
    faults.afterAppend = () => {
      faults.dead = true;
    };
    await expect(first.gateway.createAsk(caller, aDeploy())).rejects.toThrow("could not store");
    // It reads two rows.
    expect(calls).toBe(3);
    const { clock, ids } = first;
    await using second = await openAskScene({ store: inner, clock, ids });
    const asked = ["turn_started", "interaction_request", "turn_ended"];
    expect(await second.eventTypes(sessionId)).toEqual(asked);
    expect(await second.gateway.getSession(ada, sessionId)).toMatchObject({ status: "idle" });
    expect(await second.interactions("pending")).toHaveLength(1);
  });

  test("takes its turn after earlier asks of the session, without reading the queue", async () => {
    const faults: StoreFaults = {};
    await using scene = await openAskScene({ store: wrapStore(createMemoryStore(), faults) });
    const { caller, sessionId } = await scene.program("CI");
    let calls = 0;
    faults.onCall = () => (calls += 1);
    const asks = Array.from({ length: 5 }, () => scene.gateway.createAsk(caller, aDeploy()));
    const ids = new Set((await Promise.all(asks)).map(({ interactionId }) => interactionId));
    await scene.clock.settle();
    expect([ids.size, calls]).toEqual([5, 15]);
    const turn = ["turn_started", "interaction_request", "turn_ended"];
    expect(await scene.eventTypes(sessionId)).toEqual([...ids].flatMap(() => turn));
    expect(scene.errors).toEqual([]);
  });

  test("[R-4] gets its turn after an answer that becomes a message while the ask is written", async () => {
    const faults: StoreFaults = {};
    await using scene = await openAskScene({ store: wrapStore(createMemoryStore(), faults) });
    const { caller, sessionId } = await scene.program("CI");
    const call = scene.gateway.tools.call(
      { sessionId, toolCallId: "c", name: "ask_user", args: { question: "?" } },
      { signal: never },
    );
    await scene.clock.settle();
    call.finishAsQueued();
    await call.result;
    const [queued] = await scene.interactions("pending");
    await scene.clock.settle();
    const before = (await scene.events(sessionId)).length;
    const writing = Promise.withResolvers<void>();
    const isAsk = ({ type }: { readonly type: string }): boolean => type === "interaction_request";
    faults.beforeAppend = ({ events }) => (events?.some(isAsk) ? writing.promise : undefined);
    const asked = scene.gateway.createAsk(caller, aDeploy());
    await scene.clock.settle();
    await scene.gateway.respond(ada, queued!.interactionId, { action: "cancel" });
    writing.resolve();
    await asked;
    await scene.clock.settle();
    const types = (await scene.events(sessionId)).slice(before).map(({ type }) => type);
    const ask = ["turn_started", "interaction_request", "turn_ended"];
    const message = ["user_message", "turn_started", "interaction_delivered", "turn_ended"];
    expect(types).toEqual(["interaction_response", ...ask, ...message]);
  });

  test("[R-4] is answered once, and returns its answer on every read", async () => {
    await using scene = await openAsked(aDeploy({ input: { version: "1.4.2" } }));
    const { gateway, caller, ask } = scene;
    await scene.answer(ask, { action: "approve" });
    for (let fetch = 0; fetch < 3; fetch += 1) {
      expect(await gateway.getAsk(caller, ask.interactionId, {})).toMatchObject({
        status: "delivered",
        response: { action: "approve" },
        input: { version: "1.4.2" },
        by: { person: "Ada" },
      });
    }
    const types = await scene.eventTypes(scene.sessionId);
    expect(types.filter((type) => type === "interaction_delivered")).toHaveLength(1);
    // An agent that calls tools with the same token gets none of it.
    expect(types).not.toContain("user_message");
  });

  test.each([false, true])(
    "[R-4] [R-5] stays unchanged over a restart, killed: %s",
    async (isKilled) => {
      const first = await openAsked();
      await using second = await first.restart({ isKilled });
      const { interactionId } = first.ask;
      expect(await second.gateway.getAsk(first.caller, interactionId, {})).toEqual(first.ask);
      await second.answer(first.ask, { action: "deny", reason: "Not on a Friday." });
      await using third = await second.restart({ isKilled });
      const late = await third.gateway.getAsk(first.caller, interactionId, {});
      expect(late.response).toEqual({ action: "deny", reason: "Not on a Friday." });
      expect(late).not.toHaveProperty("input");
      await third.clock.advance(60_000);
      expect(await third.eventTypes(first.sessionId)).not.toContain("user_message");
    },
  );

  test("[R-5] expires at its deadline, even in the next gateway, and then accepts no answer", async () => {
    const first = await openAsked(aDeploy({ timeoutMs: 60_000 }));
    await using second = await first.restart();
    await second.clock.advance(59_999);
    expect(await second.interactions("pending")).toHaveLength(1);
    await second.clock.advance(1);
    const ask = await second.gateway.getAsk(first.caller, first.ask.interactionId, {});
    expect(ask).toMatchObject({ status: "expired" });
    const late = await second.answer(first.ask, { action: "approve" });
    expect(late).toMatchObject({ status: "refused", problem: { code: "EXPIRED" } });
    expect(await second.gateway.getAsk(first.caller, ask.interactionId, {})).toEqual(ask);
  });

  test("[R-5] keeps its deadline when the last waiting call has ended", async () => {
    await using scene = await openAsked(aDeploy({ timeoutMs: 60_000 }));
    const call = scene.gateway.tools.call(
      { sessionId: scene.sessionId, toolCallId: "c", name: "ask_user", args: { question: "?" } },
      { signal: never },
    );
    await scene.clock.settle();
    const asked = (await scene.interactions("pending")).find(({ hold }) => hold === "held");
    await scene.gateway.respond(ada, asked!.interactionId, { action: "cancel" });
    await call.result;
    await scene.clock.advance(60_000);
    expect(await scene.interactions("expired")).toHaveLength(1);
  });

  test("waits as long as it takes without a deadline", async () => {
    await using scene = await openAsked();
    await scene.clock.advance(400 * 24 * 3_600_000);
    expect(await scene.interactions("pending")).toHaveLength(1);
    expect(scene.clock.timerCount).toBe(0);
  });

  test("[R-5] is not affected by a call of its agent that ends", async () => {
    await using scene = await openAsked();
    const given = new AbortController();
    const call = scene.gateway.tools.call(
      { sessionId: scene.sessionId, toolCallId: "c", name: "ask_user", args: { question: "?" } },
      { signal: given.signal },
    );
    await scene.clock.settle();
    const second = await scene.gateway.createAsk(scene.caller, aDeploy({ prompt: "Another?" }));
    given.abort();
    await call.result;
    await scene.clock.settle();
    const open = (await scene.interactions("pending")).map(({ interactionId }) => interactionId);
    expect(open).toEqual([scene.ask.interactionId, second.interactionId]);
  });
});

describe("withdrawing", () => {
  test("withdraws an open ask, and returns the answer of an answered one", async () => {
    await using scene = await openAsked();
    const { gateway, caller, ask } = scene;
    const second = await gateway.createAsk(caller, aDeploy({ prompt: "Another?" }));
    await scene.answer(second, { action: "deny" });
    expect(await gateway.withdrawAsk(caller, ask.interactionId)).toMatchObject({
      status: "withdrawn",
    });
    expect(await gateway.withdrawAsk(caller, second.interactionId)).toMatchObject({
      status: "delivered",
      response: { action: "deny" },
    });
    const late = await scene.answer(ask, { action: "approve" });
    expect(late).toMatchObject({ status: "refused", problem: { code: "WITHDRAWN" } });
  });

  test("by revoking the token affects its asks, and no others", async () => {
    await using scene = await openAsked();
    const other = await scene.program("Other");
    const kept = await scene.gateway.createAsk(other.caller, aDeploy());
    const call = scene.gateway.tools.call(
      { sessionId: scene.sessionId, toolCallId: "c", name: "ask_user", args: { question: "?" } },
      { signal: never },
    );
    await scene.clock.settle();
    const held = (await scene.interactions("pending")).find(({ hold }) => hold === "held")!;
    await scene.gateway.revokeAgentToken(ada, scene.caller.tokenId!);
    const open = (await scene.interactions("pending")).map(({ interactionId }) => interactionId);
    // Requests of its tools are ended by the tools.
    expect(open.toSorted()).toEqual([kept.interactionId, held.interactionId].toSorted());
    call.finishAsQueued();
    await call.result;
    const gone = await scene.gateway.getInteraction(ada, scene.ask.interactionId);
    expect(gone).toMatchObject({ status: "withdrawn", closedReason: "Its token was revoked." });
  });
});

test("[R-19] a sensitive value is returned until the program confirms it, and never after", async () => {
  const first = await openAsked(form);
  await first.answer(first.ask, { action: "submit", values: { user: "ada", password: "s3cret" } });
  const { interactionId } = first.ask;
  const values = { user: "ada", password: "s3cret" };
  expect(await first.gateway.getAsk(first.caller, interactionId, {})).toMatchObject({
    status: "answered",
    response: { values },
  });
  await using second = await first.restart();
  const { gateway } = second;
  // The answer may have been lost on its way.
  const again = await gateway.getAsk(first.caller, interactionId, {});
  expect(again.response).toMatchObject({ values, redacted: ["password"] });
  expect(JSON.stringify(await gateway.getInteraction(ada, interactionId))).not.toContain("s3cret");
  await gateway.withdrawAsk(first.caller, interactionId);
  const left = await gateway.getAsk(first.caller, interactionId, {});
  expect(left).toMatchObject({ status: "delivered", response: { values: { user: "ada" } } });
  expect(JSON.stringify(left)).not.toContain("s3cret");
  expect(JSON.stringify(await second.events(first.sessionId))).not.toContain("s3cret");
});

describe("an idempotency key", () => {
  const keyed = aDeploy({ idempotencyKey: "deploy-1.4.2" });

  test("finds the same ask, at once, later and after its answer", async () => {
    await using scene = await openAsked(keyed);
    const { gateway, caller } = scene;
    const both = [gateway.createAsk(caller, keyed), gateway.createAsk(caller, keyed)];
    expect(await Promise.all(both)).toEqual([scene.ask, scene.ask]);
    await scene.answer(scene.ask, { action: "deny" });
    const again: Ask = await gateway.createAsk(caller, keyed);
    expect(again).toMatchObject({ response: { action: "deny" } });
    await gateway.getAsk(caller, again.interactionId, {});
    const delivered = await gateway.createAsk(caller, keyed);
    expect(delivered.interactionId).toBe(scene.ask.interactionId);
    expect(await scene.interactions("pending")).toEqual([]);
  });

  test("[R-5] is refused with any other content", async () => {
    await using scene = await openAsked(keyed);
    const others: Partial<AskBody>[] = [
      { prompt: "Deploy 1.4.3?" },
      { label: "other.sh" },
      { timeoutMs: 5000 },
      { input: { version: "2" } },
    ];
    for (const other of others) {
      const asking = scene.gateway.createAsk(scene.caller, { ...keyed, ...other } as AskBody);
      await expect(asking).rejects.toMatchObject({ code: "KEY_REUSED" });
    }
  });

  test("[R-15] finds nothing of another program", async () => {
    await using scene = await openAsked(keyed);
    const other = await scene.program("Other");
    await scene.answer(scene.ask, { action: "approve" });
    const own = await scene.gateway.createAsk(other.caller, keyed);
    expect(own.interactionId).not.toBe(scene.ask.interactionId);
    expect(own).toMatchObject({ status: "pending" });
    expect(own).not.toHaveProperty("response");
  });
});

describe("[R-13] [R-15] a program", () => {
  test("reads, follows and withdraws only its own asks, and nothing else of its session", async () => {
    await using scene = await openAsked();
    const { gateway, ask, caller, sessionId } = scene;
    const other = await scene.program("Other");
    const call = gateway.tools.call(
      { sessionId, toolCallId: "c", name: "ask_user", args: { question: "?" } },
      { signal: never },
    );
    await scene.clock.settle();
    const held = (await scene.interactions("pending")).find(({ hold }) => hold === "held")!;
    for (const [by, id] of [
      [other.caller, ask.interactionId],
      [caller, held.interactionId],
      [caller, "int_none"],
    ] as const) {
      const tries = [
        gateway.getAsk(by, id, {}),
        gateway.withdrawAsk(by, id),
        collect(gateway.followAsk(by, id, { signal: never })),
      ];
      for (const one of tries) await expect(one).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await scene.interactions("pending")).toHaveLength(2);
    call.finishAsQueued();
    await call.result;
  });

  test("answers nothing, including its own asks", async () => {
    await using scene = await openAsked();
    const { gateway, ask, caller } = scene;
    const { approval } = await gateway.getInteraction(ada, ask.interactionId);
    const yes = { action: "approve", digest: approval!.digest } as const;
    const tries = [
      gateway.respond(caller, ask.interactionId, yes),
      gateway.approveTool(caller, scene.sessionId, {
        toolCallId: ask.interactionId,
        digest: approval!.digest,
      }),
      gateway.dismissInteraction(caller, ask.interactionId),
    ];
    for (const one of tries) await expect(one).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await scene.interactions("pending")).toHaveLength(1);
  });

  test("asks through its tools if the gateway itself runs it", async () => {
    await using scene = await openAskScene();
    const sessionId = await scene.createSession();
    const caller = { ...ada, principal: "agent", sessionId } as const;
    const asking = scene.gateway.createAsk(caller, aDeploy());
    await expect(asking).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test.each(["Holdpoint", "Αda", "gateway", "you", "a\u202Eb", "\u200B"])(
    "cannot name itself like the gateway or a person, such as %j",
    async (label) => {
      await using scene = await openAskScene();
      const { caller } = await scene.program("CI");
      const asking = scene.gateway.createAsk(caller, aDeploy({ label }));
      await expect(asking).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    },
  );
});

test.each([
  ["a form outside of the subset", { ...form, inputSchema: { type: "array" } }],
  [
    "two options with one id",
    {
      kind: "question",
      label: "a",
      prompt: "b",
      questions: [
        {
          question: "c",
          options: [
            { id: "x", label: "1" },
            { id: "x", label: "2" },
          ],
        },
      ],
    },
  ],
])("%s is refused, and no one is asked", async (_, body) => {
  await using scene = await openAskScene();
  const { caller } = await scene.program("CI");
  const asking = scene.gateway.createAsk(caller, body as AskBody);
  await expect(asking).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  expect(await scene.interactions("pending")).toEqual([]);
});

test("[R-20] a program has the limits of a session, and a request that is too large is refused", async () => {
  await using scene = await openAskScene({ limits: { pendingPerSession: 3 } });
  const { caller } = await scene.program("CI");
  const asks = Array.from({ length: 5 }, () => scene.gateway.createAsk(caller, aDeploy()));
  const results = await Promise.allSettled(asks);
  expect(results.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 3 }, () => "fulfilled"),
    ...Array.from({ length: 2 }, () => "rejected"),
  ]);
  expect(results.at(-1)).toMatchObject({ reason: { code: "TOO_MANY_PENDING" } });
  const other = await scene.program("Other");
  const huge = aDeploy({ display: { description: "x".repeat(300_000) } });
  const asking = scene.gateway.createAsk(other.caller, huge);
  await expect(asking).rejects.toMatchObject({ code: "TOO_LARGE" });
});

test("[R-20] all programs of a person share one limit of open asks, which ended asks do not count towards", async () => {
  await using scene = await openAskScene({ limits: { openPerCreator: 3 } });
  const { gateway, clock } = scene;
  const [one, other] = [await scene.program("CI"), await scene.program("Other")];
  const body = aDeploy({ timeoutMs: 1000 });
  for (const { caller } of [one, one, other]) await gateway.createAsk(caller, body);
  const refused = { code: "TOO_MANY_PENDING" };
  await expect(gateway.createAsk(other.caller, body)).rejects.toMatchObject(refused);
  await clock.advance(1000);
  expect(await gateway.createAsk(other.caller, body)).toMatchObject({ status: "pending" });
});

describe("following an ask", () => {
  test("[R-10] [R-18] gives the state, then the end, and leaves nothing behind", async () => {
    await using scene = await openAsked();
    const { gateway, caller, ask } = scene;
    const frames = collect(gateway.followAsk(caller, ask.interactionId, { signal: never }));
    const left = new AbortController();
    const leaving = collect(gateway.followAsk(caller, ask.interactionId, { signal: left.signal }));
    await scene.clock.settle();
    left.abort();
    expect(await leaving).toHaveLength(1);
    await scene.answer(ask, { action: "approve" });
    const told = (await frames).flat().map(({ json }) => JSON.parse(json) as { ask: Ask });
    expect(told.map((frame) => frame.ask.status)).toEqual(["pending", "delivered"]);
    expect(told.at(-1)?.ask).toEqual(await gateway.getAsk(caller, ask.interactionId, {}));
  });

  test("[R-14] is not woken by other asks", async () => {
    const store = createMemoryStore();
    const getInteraction = store.getInteraction.bind(store);
    const reads: string[] = [];
    store.getInteraction = (id) => {
      reads.push(id);
      return getInteraction(id);
    };
    await using scene = await openAsked(aDeploy(), await openAskScene({ store }));
    const { gateway, caller, ask } = scene;
    const frames = collect(gateway.followAsk(caller, ask.interactionId, { signal: never }));
    await scene.clock.settle();
    reads.length = 0;
    for (let count = 0; count < 10; count += 1) {
      const other = await gateway.createAsk(caller, aDeploy({ prompt: `${count}?` }));
      await scene.answer(other, { action: "deny" });
    }
    expect(reads.filter((id) => id === ask.interactionId)).toEqual([]);
    await scene.answer(ask, { action: "deny" });
    expect(await frames).toHaveLength(2);
  });

  test("[R-18] ends when its session is deleted", async () => {
    await using scene = await openAsked();
    const { gateway, caller, ask, sessionId } = scene;
    const frames = collect(gateway.followAsk(caller, ask.interactionId, { signal: never }));
    const ended = frames.catch((error: unknown) => error);
    await scene.clock.settle();
    await gateway.deleteSession(ada, sessionId);
    expect(await ended).toMatchObject({ code: "NOT_FOUND" });
  });

  test("[R-18] ends with the gateway, and the ask stays pending", async () => {
    const scene = await openAsked();
    const { gateway, caller, ask } = scene;
    const frames = collect(gateway.followAsk(caller, ask.interactionId, { signal: never }));
    await scene.clock.settle();
    await using next = await scene.restart();
    expect(await frames).toHaveLength(1);
    expect(await next.interactions("pending")).toHaveLength(1);
  });
});

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

describe("comments", () => {
  test("[R-5] [R-15] reach the asking program, which can write its own, and are never an answer", async () => {
    await using scene = await openAsked();
    const { gateway, caller, ask } = scene;
    const { interactionId } = ask;
    const other = await scene.program("Other");
    await gateway.addComment(ada, interactionId, { text: "Which database?" });
    const told = await gateway.addAskComment(caller, interactionId, { text: "orders" });
    expect(told).toMatchObject({ status: "pending", interactionId });
    expect(told.comments).toEqual([
      { text: "Which database?", by: { person: "Ada", at: expect.any(String) } },
      { text: "orders", program: true, by: { person: "CI: deploy.sh", at: expect.any(String) } },
    ]);
    expect(told).not.toHaveProperty("response");
    expect(await gateway.getAsk(caller, interactionId, {})).toEqual(told);
    for (const stranger of [other.caller, ada]) {
      await expect(
        gateway.addAskComment(stranger, interactionId, { text: "orders?" }),
      ).rejects.toMatchObject({ code: stranger === ada ? "FORBIDDEN" : "NOT_FOUND" });
    }
    await expect(
      gateway.addComment(caller, interactionId, { text: "I am a person." }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("[R-20] from a program cannot use up the room for people's comments", async () => {
    await using scene = await openAsked();
    const { gateway, caller, ask } = scene;
    const write = (text: string) => gateway.addAskComment(caller, ask.interactionId, { text });
    for (let count = 0; count < 10; count += 1) await write(`${count}`);
    await expect(write("one more")).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: "No more can be added here.",
    });
    await gateway.addComment(ada, ask.interactionId, { text: "Stop it." });
    expect(await scene.interactions("pending")).toMatchObject([{ notes: { given: 11 } }]);
  });
});
