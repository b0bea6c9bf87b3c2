import { describe, expect, test, vi } from "vitest";
import { z } from "zod";

import { ada, approval, never, openFixture, say } from "../testing/gateway-fixture.ts";
import { probeTool } from "../testing/probe-tool.ts";
import { listening, openScene } from "../testing/tool-scene.ts";
import { defineTool } from "./define-tool.ts";
import type { ToolContext, ToolLogEntry } from "./tool-context.ts";

const confirm = { kind: "approval", prompt: "Sure?" } as const;

test("a request is stored with the trace of its call, unless the trace is invalid", async () => {
  const traces: (string | undefined)[] = [];
  const tool = probeTool((context) => context.requestInteraction(confirm));
  await using scene = await openScene({
    tools: [tool],
    onInteraction: ({ traceparent }, before) => void (before ?? traces.push(traceparent)),
  });
  const own = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  const sent = [own, "a".repeat(4000), `${own}-more`, undefined];
  for (const [index, traceparent] of sent.entries()) {
    const { result } = scene.call({ name: "probe", toolCallId: `call_${index}`, traceparent });
    await scene.clock.settle();
    await scene.answer({ action: "deny" });
    await result;
  }
  expect(traces).toEqual([own, undefined, undefined, undefined]);
});

describe("the result of a call", () => {
  test.each([
    [{ a: 1 }, '{"a":1}', { a: 1 }],
    ["text", '"text"', undefined],
    [[1, 2], "[1,2]", undefined],
    [undefined, "null", undefined],
    [null, "null", undefined],
  ])("is the JSON of the handler's return value: %j", async (value, content, structured) => {
    await using scene = await openScene({ tools: [probeTool(async () => value)] });
    expect(await scene.call({ name: "probe" }).result).toEqual({
      content,
      isError: false,
      ...(structured && { structured }),
    });
  });

  test("is a throwing handler's message, only for the agent", async () => {
    const logged = vi.fn<(entry: ToolLogEntry) => void>();
    const tool = probeTool(() => {
      throw new Error("The disk is full.");
    });
    await using scene = await openScene({ tools: [tool], onToolLog: logged });
    expect(await scene.call({ name: "probe" }).result).toMatchObject({
      isError: true,
      structured: { status: "error", code: "HANDLER_FAILED", message: "The disk is full." },
    });
    expect(logged).toHaveBeenCalledOnce();
    expect(scene.errors).toEqual([]);
  });

  test("is an error for a value that JSON cannot carry", async () => {
    await using scene = await openScene({ tools: [probeTool(() => ({ size: 1n }))] });
    expect(await scene.call({ name: "probe" }).result).toMatchObject({
      structured: { code: "INVALID_RESULT" },
    });
  });

  test("is a typed error for unknown tools and invalid arguments, and nothing runs", async () => {
    const handler = vi.fn<() => unknown>();
    const tool = defineTool({
      name: "probe",
      description: "Takes a city.",
      parameters: z.object({ city: z.string() }),
      handler,
    });
    await using scene = await openScene({ tools: [tool] });
    expect(await scene.call({ name: "nothing" }).result).toMatchObject({
      isError: true,
      structured: { code: "UNKNOWN_TOOL" },
    });
    for (const args of [{}, { city: 7 }, "Ulm", { city: 1n }]) {
      expect(await scene.call({ name: "probe", args }).result).toMatchObject({
        isError: true,
        structured: { code: "INVALID_ARGUMENTS" },
      });
    }
    expect(handler).not.toHaveBeenCalled();
    expect(await scene.eventTypes(scene.sessionId)).toEqual([]);
  });

  test("is refused to transports for a session that does not exist", async () => {
    await using scene = await openScene({ tools: [probeTool(() => 1)] });
    await expect(scene.call({ name: "probe", sessionId: "ses_x" }).result).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(scene.gateway.tools.list().map(({ name }) => name)).toEqual(["ask_user", "probe"]);
  });
});

describe("the turn of a call", () => {
  test("is a new one if none runs, and the gateway logs the call", async () => {
    await using scene = await openScene({
      tools: [probeTool((context) => context.requestInteraction(confirm))],
    });
    const call = scene.call({ name: "probe", args: { why: "test" } });
    await scene.clock.settle();
    expect((await scene.gateway.getSession(ada, scene.sessionId)).status).toBe("waiting");
    await scene.answer({ action: "approve" });
    expect(await call.result).toMatchObject({ isError: false });
    await scene.clock.settle();
    expect(await scene.events(scene.sessionId)).toMatchObject([
      { type: "turn_started", turnId: "trn_1" },
      { type: "tool_call", toolName: "probe", input: { why: "test" }, turnId: "trn_1" },
      { type: "interaction_request", interaction: { toolCallId: "call_1", toolName: "probe" } },
      { type: "interaction_response", action: "approve" },
      { type: "interaction_delivered", how: "resumed", turnId: "trn_1" },
      { type: "tool_result", toolCallId: "call_1", isError: false, turnId: "trn_1" },
      { type: "turn_ended", reason: "done", turnId: "trn_1" },
    ]);
    expect((await scene.gateway.getSession(ada, scene.sessionId)).status).toBe("idle");
    expect(scene.errors).toEqual([]);
  });

  test("is shared by calls that run at once, and lasts as long as the last of them", async () => {
    await using scene = await openScene({
      tools: [probeTool((context) => context.requestInteraction(confirm))],
    });
    const calls = ["a", "b", "c"].map((toolCallId) => scene.call({ name: "probe", toolCallId }));
    await scene.clock.settle();
    for (const { interactionId } of await scene.interactions("pending")) {
      expect(await scene.eventTypes(scene.sessionId)).not.toContain("turn_ended");
      await scene.gateway.respond(ada, interactionId, { action: "deny" });
      await scene.clock.settle();
    }
    await Promise.all(calls.map(({ result }) => result));
    await scene.clock.settle();
    const types = await scene.eventTypes(scene.sessionId);
    expect(types.filter((type) => type.startsWith("turn_"))).toEqual([
      "turn_started",
      "turn_ended",
    ]);
  });

  test("[R-8] makes messages wait behind it", async () => {
    await using scene = await openScene({
      tools: [probeTool((context) => context.requestInteraction(confirm))],
    });
    const call = scene.call({ name: "probe" });
    await scene.clock.settle();
    await scene.send(scene.sessionId, "hello");
    expect(scene.adapter.messages).toEqual([]);
    await scene.answer({ action: "approve" });
    await call.result;
    await scene.clock.settle();
    expect(scene.adapter.messages).toMatchObject([{ content: "hello" }]);
    const types = await scene.eventTypes(scene.sessionId);
    expect(types.indexOf("turn_ended")).toBeLessThan(types.indexOf("user_message"));
  });

  test("is the agent's own while it runs, and the agent logs the call", async () => {
    await using scene = await openScene({
      tools: [probeTool((context) => context.requestInteraction(confirm))],
      script: async (_message, context) => {
        const { turnId } = context;
        await context.emit({
          type: "tool_call",
          toolCallId: "toolu_1",
          toolName: "probe",
          input: {},
        });
        const call = scene.call({ name: "probe", toolCallId: "toolu_1" });
        const { content, isError } = await call.result;
        await context.emit({ type: "tool_result", toolCallId: "toolu_1", content, isError });
        expect((await scene.interactions("delivered"))[0]).toMatchObject({ turnId });
        return { reason: "done" };
      },
    });
    await scene.send(scene.sessionId, "go");
    await scene.answer({ action: "approve" });
    expect(await scene.eventTypes(scene.sessionId)).toEqual([
      "user_message",
      "turn_started",
      "session_updated",
      "tool_call",
      "interaction_request",
      "interaction_response",
      "tool_result",
      "interaction_delivered",
      "turn_ended",
    ]);
    expect(scene.errors).toEqual([]);
  });

  test("[R-15] belongs to one session: the same id in two sessions is two calls", async () => {
    await using scene = await openScene({
      tools: [probeTool((context) => context.requestInteraction(confirm))],
    });
    const other = await scene.createSession();
    const calls = [scene.call({ name: "probe" }), scene.call({ name: "probe", sessionId: other })];
    await scene.clock.settle();
    const pending = await scene.interactions("pending");
    expect(pending.map(({ sessionId }) => sessionId).toSorted()).toEqual(
      [scene.sessionId, other].toSorted(),
    );
    const [mine] = pending.filter(({ sessionId }) => sessionId === scene.sessionId);
    await scene.gateway.respond(ada, mine!.interactionId, { action: "deny" });
    await scene.clock.settle();
    expect(await scene.interactions("pending")).toMatchObject([{ sessionId: other }]);
    await scene.gateway.deleteSession(ada, other);
    expect(await calls[1]!.result).toMatchObject({ structured: { code: "INTERACTION_CANCELLED" } });
  });
});

test("is in the handler's log lines, with the call", async () => {
  const logged = vi.fn<(entry: ToolLogEntry) => void>();
  const tool = probeTool(({ log }) => {
    log.info("one");
    log.warn("two");
    log.error("three");
  });
  await using scene = await openScene({ tools: [tool], onToolLog: logged });
  await scene.call({ name: "probe" }).result;
  const { sessionId } = scene;
  expect(logged.mock.calls.flat()).toMatchObject([
    { level: "info", message: "one", toolName: "probe", toolCallId: "call_1", sessionId },
    { level: "warn", message: "two" },
    { level: "error", message: "three" },
  ]);
});

describe("a handler's error or result", () => {
  async function outcomeOf(handler: (context: ToolContext) => unknown) {
    const logged = vi.fn<(entry: ToolLogEntry) => void>();
    await using scene = await openScene({ tools: [probeTool(handler)], onToolLog: logged });
    const result = await scene.call({ name: "probe" }).result;
    return { value: JSON.parse(result.content) as unknown, entries: logged.mock.calls.flat() };
  }

  test("is logged with file and line, down to its cause, and without the error's message", async () => {
    const { entries } = await outcomeOf(() => {
      throw new Error("outer", { cause: new Error("inner") });
    });
    const [entry] = entries;
    expect(entry?.stack).toMatch(/^ +at .*call-tool\.test\.ts:\d+:\d+/);
    expect(entry?.stack).toMatch(/caused by\n +at .*call-tool\.test\.ts/);
    expect(entry?.stack).not.toMatch(/outer|inner/);
    expect(entry?.message).toContain("outer");
  });

  test("[R-19] is masked in the stack, too", async () => {
    const { entries } = await askForPin((pin) => {
      const named = { [`at_${pin}`]: () => new Error("no") };
      throw named[`at_${pin}`]!();
    });
    expect(entries.at(-1)?.stack).toMatch(/at .*•••/);
    expect(JSON.stringify(entries)).not.toContain("98765");
  });

  async function askForPin(fail: (pin: string) => never) {
    const logged = vi.fn<(entry: ToolLogEntry) => void>();
    const tool = probeTool(async ({ requestInteraction }) => {
      const { values } = await requestInteraction({
        kind: "form",
        inputSchema: {
          type: "form",
          fields: [{ id: "pin", type: "text", label: "PIN", sensitive: true, required: true }],
        },
      });
      fail(values?.pin ?? "");
    });
    await using scene = await openScene({ tools: [tool], onToolLog: logged });
    const { result } = scene.call({ name: "probe" });
    await scene.clock.settle();
    await scene.answer({ action: "submit", values: { pin: "98765" } });
    await result;
    return { entries: logged.mock.calls.flat() };
  }

  test.each([
    ["a thrown text", () => Promise.reject("no disk"), "HANDLER_FAILED", /^no disk$/],
    ["nothing", () => Promise.reject(undefined), "HANDLER_FAILED", /failed/],
    ["a result of 50 MB", () => "x".repeat(5e7), "RESULT_TOO_LARGE", /50000002 characters/],
    ["one of too many bytes", () => "ä".repeat(6e5), "RESULT_TOO_LARGE", /1048576 bytes/],
    ["a BigInt", () => ({ at: 1n }), "INVALID_RESULT", /BigInt/],
    ["a cycle", () => cycle(), "INVALID_RESULT", /circular/],
    [
      "a thrown object",
      () => ({
        toJSON() {
          throw new Error("mine");
        },
      }),
      "INVALID_RESULT",
      /mine/,
    ],
  ])("is returned to its agent: %s", async (_, handler, code, message) => {
    const { value } = await outcomeOf(handler);
    expect(value).toMatchObject({ code, message: expect.stringMatching(message) as string });
  });

  test("may be as large as the limit for results", async () => {
    const { value } = await outcomeOf(() => "x".repeat(1024 * 1024 - 2));
    expect(value).toHaveLength(1024 * 1024 - 2);
  });
});

function cycle(): object {
  const self: { self?: object } = {};
  self.self = self;
  return self;
}

test("replaced tools take new calls, and running ones keep the old tools", async () => {
  const tool = (answer: string) =>
    probeTool(async (context) => {
      await context.requestInteraction(confirm);
      return answer;
    });
  await using scene = await openScene({ tools: [tool("old")] });
  const running = scene.call({ name: "probe", toolCallId: "a" });
  await scene.clock.settle();
  scene.gateway.tools.replace([probeTool(() => "new")]);
  expect(await scene.call({ name: "probe", toolCallId: "b" }).result).toMatchObject({
    content: '"new"',
  });
  await scene.answer({ action: "approve" });
  expect(await running.result).toMatchObject({ content: '"old"' });
});

test("[R-14] a thousand calls leave nothing behind", async () => {
  await using scene = await openScene({
    tools: [probeTool((context) => context.requestInteraction(confirm))],
    limits: { asksPerSecondPerSession: 1e6 },
  });
  const timersBefore = scene.clock.timerCount;
  for (let round = 0; round < 10; round += 1) {
    const calls = Array.from({ length: 100 }, (_, index) =>
      scene.call({ name: "probe", toolCallId: `${round}/${index}` }),
    );
    await scene.clock.settle();
    for (const { interactionId } of await scene.interactions("pending")) {
      await scene.gateway.respond(ada, interactionId, { action: "deny" });
    }
    await Promise.all(calls.map(({ result }) => result));
    await scene.clock.settle();
  }
  expect(scene.clock.timerCount).toBe(timersBefore);
  expect(scene.errors).toEqual([]);
});

test("a stopping gateway takes no calls, and running ones can come again", async () => {
  const onCancel = vi.fn<() => void>();
  const tool = probeTool((context) => context.requestInteraction({ ...confirm, onCancel }));
  const fixture = await openFixture(listening, { tools: [tool] });
  const sessionId = await fixture.createSession();
  fixture.gateway.announceClient({ ...ada, clientId: "page" }, { signal: never });
  const request = { sessionId, toolCallId: "call_1", name: "probe", args: {} };
  const running = fixture.gateway.tools.call(request, { signal: never });
  const failure = running.result.catch((error: unknown) => error);
  await fixture.clock.settle();
  await fixture.gateway.close();
  expect(await failure).toMatchObject({ code: "DRAINING" });
  await expect(fixture.gateway.tools.call(request, { signal: never }).result).rejects.toMatchObject(
    { code: "DRAINING" },
  );
  expect(onCancel).not.toHaveBeenCalled();
  expect(await fixture.interactions("pending")).toHaveLength(1);
});

test("a tool can be called in a turn in which the agent itself waits", async () => {
  await using scene = await openScene({
    tools: [probeTool(() => "fine")],
    script: async (message, context) => {
      const held = context.hold(approval(message.messageId), { signal: never });
      const { content } = await scene.call({ name: "probe" }).result;
      await say(context, "m", content);
      const result = await held;
      if (result.outcome === "answered") await result.delivered();
      return { reason: "done" };
    },
  });
  await scene.send(scene.sessionId, "go");
  expect(await scene.eventTypes(scene.sessionId)).toContain("assistant_message");
  await scene.answer({ action: "approve" });
  expect(await scene.eventTypes(scene.sessionId)).toContain("turn_ended");
});
