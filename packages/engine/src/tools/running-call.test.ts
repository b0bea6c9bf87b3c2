import { describe, expect, test, vi } from "vitest";

import { ada } from "../testing/gateway-fixture.ts";
import { probeTool } from "../testing/probe-tool.ts";
import { openScene } from "../testing/tool-scene.ts";
import type { ToolContext } from "./tool-context.ts";
import { ToolError } from "./tool-error.ts";

const confirm = { kind: "approval", prompt: "Sure?" } as const;

describe("the same call coming again while it runs", () => {
  const open = (answers: string[] = []) =>
    openScene({
      tools: [
        probeTool(async (context) => {
          const { action } = await context.requestInteraction(confirm);
          answers.push(action);
          return action;
        }),
      ],
    });

  test("joins it: one handler, one question, one result", async () => {
    const answers: string[] = [];
    await using scene = await open(answers);
    const first = scene.call({ name: "probe" });
    await scene.clock.settle();
    const second = scene.call({ name: "probe" });
    await scene.clock.settle();
    await scene.answer({ action: "approve" });
    expect(await first.result).toEqual(await second.result);
    expect(answers).toEqual(["approve"]);
  });

  test("continues while one of its callers still waits", async () => {
    await using scene = await open();
    const leaving = new AbortController();
    const first = scene.call({ name: "probe" }, { signal: leaving.signal });
    await scene.clock.settle();
    scene.call({ name: "probe" });
    leaving.abort();
    await scene.clock.settle();
    await scene.answer({ action: "approve" });
    expect(await first.result).toMatchObject({ content: '"approve"' });
  });

  test("[R-4] is a separate request while the earlier caller is connected, with a separate answer", async () => {
    await using scene = await open();
    const [first, second, third] = [1, 2, 3].map(() => {
      const line = new AbortController();
      return { line, call: scene.call({ name: "probe" }, { connection: line.signal }) };
    });
    await scene.clock.settle();
    const asked = await scene.interactions("pending");
    const ids = ["call_1", "call_1~2", "call_1~3"];
    expect(asked.map(({ toolCallId }) => toolCallId).toSorted()).toEqual(ids);
    const answer = async (id: string, action: "approve" | "deny"): Promise<void> => {
      const { interactionId, approval } = asked.find(({ toolCallId }) => toolCallId === id)!;
      const { digest } = approval!;
      const body = action === "deny" ? { action } : { action, digest };
      await scene.gateway.respond(ada, interactionId, body);
    };
    // The connection of the second call is lost, and it is repeated: that is the second call, not a fourth.
    second!.line.abort();
    const again = scene.call({ name: "probe" }, { connection: new AbortController().signal });
    await scene.clock.settle();
    expect(await scene.interactions("pending")).toHaveLength(3);
    await answer("call_1", "approve");
    await answer("call_1~2", "deny");
    await answer("call_1~3", "approve");
    const results = [first!.call, again, third!.call].map(
      async ({ result }) => (await result).content,
    );
    expect(await Promise.all(results)).toEqual(['"approve"', '"deny"', '"approve"']);
  });

  test("is refused with other arguments", async () => {
    await using scene = await open();
    const first = scene.call({ name: "probe" });
    const second = scene.call({ name: "probe", args: { other: true } });
    expect(await second.result).toMatchObject({ structured: { code: "DUPLICATE_CALL" } });
    await scene.clock.settle();
    await scene.answer({ action: "deny" });
    expect(await first.result).toMatchObject({ content: '"deny"' });
  });

  test("starts over after every caller has left", async () => {
    await using scene = await open();
    const leaving = new AbortController();
    const first = scene.call({ name: "probe" }, { signal: leaving.signal });
    await scene.clock.settle();
    leaving.abort();
    const second = scene.call({ name: "probe" });
    await scene.clock.settle();
    expect(await first.result).toMatchObject({ structured: { code: "INTERACTION_CANCELLED" } });
    expect(await scene.interactions("withdrawn")).toHaveLength(1);
    await scene.answer({ action: "approve" });
    expect(await second.result).toMatchObject({ content: '"approve"' });
  });

  test("[R-5] is another call after it has ended, without the earlier answers", async () => {
    await using scene = await open();
    const first = scene.call({ name: "probe" });
    await scene.clock.settle();
    await scene.answer({ action: "approve" });
    await first.result;
    const second = scene.call({ name: "probe" });
    await scene.clock.settle();
    expect(await scene.waiting()).toMatchObject({ toolCallId: "call_1", status: "pending" });
    await scene.answer({ action: "deny" });
    expect(await second.result).toMatchObject({ content: '"deny"' });
  });
});

describe("a call that is cancelled", () => {
  async function openWaiting() {
    const onCancel = vi.fn<() => void>();
    const seen: { aborted?: boolean; error?: unknown } = {};
    const tool = probeTool(async (context) => {
      try {
        return await context.requestInteraction({ ...confirm, onCancel });
      } catch (error: unknown) {
        seen.aborted = context.signal.aborted;
        seen.error = error;
        throw error;
      }
    });
    const scene = await openScene({ tools: [tool] });
    const leaving = new AbortController();
    const call = scene.call({ name: "probe" }, { signal: leaving.signal });
    await scene.clock.settle();
    const check = async () => {
      expect(await call.result).toMatchObject({
        isError: true,
        structured: { code: "INTERACTION_CANCELLED" },
      });
      await scene.clock.settle();
      expect(onCancel).toHaveBeenCalledOnce();
      expect(seen).toMatchObject({ aborted: true, error: { code: "INTERACTION_CANCELLED" } });
      expect(scene.errors).toEqual([]);
    };
    return { scene, leaving, check };
  }

  test("notifies its handler of a stop once and withdraws its requests", async () => {
    const { scene, check } = await openWaiting();
    await using _ = scene;
    await scene.gateway.stopTurn(ada, scene.sessionId);
    await scene.clock.settle();
    await check();
    expect(await scene.interactions("withdrawn")).toHaveLength(1);
    expect((await scene.events(scene.sessionId)).at(-1)).toMatchObject({
      type: "turn_ended",
      reason: "stopped",
    });
  });

  test("does the same when its caller cancels", async () => {
    const { scene, leaving, check } = await openWaiting();
    await using _ = scene;
    leaving.abort();
    await scene.clock.settle();
    await check();
    expect(await scene.interactions("withdrawn")).toHaveLength(1);
  });

  test("does the same when its session is deleted", async () => {
    const { scene, check } = await openWaiting();
    await using _ = scene;
    await scene.gateway.deleteSession(ada, scene.sessionId);
    await check();
    expect(await scene.interactions("pending", "withdrawn")).toEqual([]);
  });

  test("does the same when its agent's turn ends", async () => {
    const onCancel = vi.fn<() => void>();
    let result: Promise<unknown> | undefined;
    await using scene = await openScene({
      tools: [probeTool((context) => context.requestInteraction({ ...confirm, onCancel }))],
      script: async () => {
        ({ result } = scene.call({ name: "probe" }));
        await scene.clock.settle();
        return { reason: "done" };
      },
    });
    await scene.send(scene.sessionId, "go");
    await scene.clock.settle();
    expect(await result).toMatchObject({ structured: { code: "INTERACTION_CANCELLED" } });
    expect(onCancel).toHaveBeenCalledOnce();
    expect(await scene.interactions("withdrawn")).toHaveLength(1);
  });

  test("never runs if it is cancelled before it has begun", async () => {
    const handler = vi.fn<() => unknown>();
    await using scene = await openScene({ tools: [probeTool(handler)] });
    const result = await scene.call({ name: "probe" }, { signal: AbortSignal.abort() }).result;
    expect(result).toMatchObject({ structured: { code: "INTERACTION_CANCELLED" } });
    expect(handler).not.toHaveBeenCalled();
  });

  test("does not wait for a handler that ignores the abort", async () => {
    await using scene = await openScene({ tools: [probeTool(() => new Promise(() => undefined))] });
    const call = scene.call({ name: "probe" });
    await scene.clock.settle();
    await scene.gateway.stopTurn(ada, scene.sessionId);
    expect(await call.result).toMatchObject({ isError: true });
    await scene.clock.settle();
    expect(await scene.eventTypes(scene.sessionId)).toContain("turn_ended");
  });

  test("reports a received response as without effect while its handler decides", async () => {
    const decision = Promise.withResolvers<void>();
    const tool = probeTool((context) =>
      context.requestInteraction({
        ...confirm,
        async onResponse() {
          await decision.promise;
          return { complete: "too late" };
        },
      }),
    );
    await using scene = await openScene({ tools: [tool] });
    const call = scene.call({ name: "probe" });
    await scene.clock.settle();
    await scene.answer({ action: "approve" });
    expect(await scene.interactions("answered")).toHaveLength(1);
    await scene.gateway.stopTurn(ada, scene.sessionId);
    expect(await call.result).toMatchObject({ structured: { code: "INTERACTION_CANCELLED" } });
    decision.resolve();
    await scene.clock.settle();
    expect(await scene.interactions("delivered")).toMatchObject([
      { failure: "The tool was stopped while it handled this response.", how: "resumed" },
    ]);
    expect(scene.adapter.messages).toEqual([]);
    expect(scene.errors).toEqual([]);
  });

  test("[R-5] still ends the turn while its handler decides about a denial that ends the turn", async () => {
    const tool = probeTool((context) =>
      context.requestInteraction({
        ...confirm,
        onResponse: () => new Promise<never>(() => undefined),
      }),
    );
    await using scene = await openScene({
      tools: [tool],
      script: async (_message, { signal }) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { reason: "stopped" };
      },
    });
    await scene.send(scene.sessionId, "go");
    const leaving = new AbortController();
    const call = scene.call({ name: "probe" }, { signal: leaving.signal });
    await scene.clock.settle();
    await scene.answer({ action: "deny", stopTurn: true });
    expect((await scene.gateway.getSession(ada, scene.sessionId)).status).toBe("running");
    leaving.abort();
    expect(await call.result).toMatchObject({ structured: { code: "INTERACTION_CANCELLED" } });
    await scene.clock.settle();
    expect((await scene.gateway.getSession(ada, scene.sessionId)).status).toBe("idle");
  });
});

describe("after a handler has returned", () => {
  test("its requests that were not awaited are withdrawn", async () => {
    const tool = probeTool(async (context) => {
      void context.requestInteraction(confirm);
      await scene.clock.settle();
      return "done";
    });
    await using scene = await openScene({ tools: [tool] });
    expect(await scene.call({ name: "probe" }).result).toMatchObject({ content: '"done"' });
    await scene.clock.settle();
    expect(await scene.interactions("pending")).toEqual([]);
    expect(await scene.interactions("withdrawn")).toHaveLength(1);
  });

  test("it can ask nothing more", async () => {
    let late: ToolContext | undefined;
    await using scene = await openScene({
      tools: [
        probeTool((context) => {
          late = context;
          return "done";
        }),
      ],
    });
    await scene.call({ name: "probe" }).result;
    const error = await late!.requestInteraction(confirm).catch((error: unknown) => error);
    expect(ToolError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: "INTERACTION_CANCELLED" });
    expect(await scene.interactions("pending")).toEqual([]);
  });
});
