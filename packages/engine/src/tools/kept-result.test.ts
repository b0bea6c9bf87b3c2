import type { RespondBody } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { Batch } from "../ports/store.ts";
import { ada, never, openFixture, type GatewayFixture } from "../testing/gateway-fixture.ts";
import { probeTool } from "../testing/probe-tool.ts";
import { createMachine } from "../testing/tool-scene.ts";
import type { StoreFaults } from "../testing/wrapped-store.ts";
import { defineTool, type Tool } from "./define-tool.ts";
import type { ToolContext } from "./tool-context.ts";
import type { ToolCallResult } from "./tool-result.ts";

const graceMs = 10_000;
const name = {
  kind: "form",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
} as const;
const submit = { action: "submit", values: { name: "Ada" } } as const;
const approve = { action: "approve" } as const;

function keepsResult({ interactions = [] }: Batch): boolean {
  return interactions.some(({ row }) => row.keptResult !== undefined);
}

/** A call that is answered, and whose gateway is killed right after it has written the result. */
async function killAfter(tool: Tool, answers: readonly RespondBody[]) {
  const machine = createMachine();
  const faults: StoreFaults = {};
  const first = await machine.start({ tools: [tool] }, faults);
  const { sessionId } = first;
  first.call({ name: "probe" });
  await machine.clock.settle();
  faults.afterAppend = (batch) => {
    if (keepsResult(batch)) faults.dead = true;
  };
  for (const answer of answers) await first.answer(answer).catch(() => undefined);
  await machine.clock.settle();
  expect(faults.dead).toBe(true);
  const restart = () => machine.start({ tools: [tool], sessionId });
  return { machine, sessionId, restart };
}

describe("a call whose gateway is killed before its agent has the result", () => {
  test.each([
    ["a form", (context: ToolContext) => context.requestInteraction(name), submit],
    [
      "an approval",
      (context: ToolContext) => context.requestInteraction({ kind: "approval" }),
      approve,
    ],
    [
      "a denial",
      (context: ToolContext) => context.requestInteraction({ kind: "approval" }),
      { action: "deny", reason: "no" } as const,
    ],
  ])("[R-4] gets it again: nothing is asked or run twice after %s", async (_, ask, answer) => {
    let runs = 0;
    const tool = probeTool(async (context) => {
      const { action } = await ask(context);
      return { action, run: (runs += 1) };
    });
    const { machine, restart } = await killAfter(tool, [answer]);
    await using scene = await restart();
    expect(await scene.interactions("answered")).toHaveLength(1);
    const { content } = await scene.call({ name: "probe" }).result;
    expect(JSON.parse(content)).toEqual({ action: answer.action, run: 1 });
    await machine.clock.settle();
    expect(await scene.interactions("pending")).toEqual([]);
    expect(await scene.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
    await machine.clock.advance(2 * graceMs);
    expect(machine.adapter.messages).toEqual([]);
    expect(scene.errors).toEqual([]);
  });

  test("[R-4] gets it again even if its last question has expired", async () => {
    let runs = 0;
    const tool = probeTool(async (context) => {
      const { action } = await context.requestInteraction({ kind: "approval" });
      const onTimeout = () => ({ complete: "none" });
      await context.requestInteraction({ kind: "approval", timeoutMs: 1000, onTimeout });
      return { action, run: (runs += 1) };
    });
    const machine = createMachine();
    const faults: StoreFaults = {};
    const first = await machine.start({ tools: [tool] }, faults);
    const { sessionId } = first;
    first.call({ name: "probe" });
    await machine.clock.settle();
    await first.answer(approve);
    faults.afterAppend = (batch) => {
      if (keepsResult(batch)) faults.dead = true;
    };
    await machine.clock.advance(1000);
    await using scene = await machine.start({ tools: [tool], sessionId });
    const { content } = await scene.call({ name: "probe" }).result;
    expect(JSON.parse(content)).toEqual({ action: "approve", run: 1 });
  });

  test("[R-5] gets nothing if it comes with other arguments", async () => {
    const tool = probeTool((context) => context.requestInteraction(name));
    const { machine, restart } = await killAfter(tool, [submit]);
    await using scene = await restart();
    scene.call({ name: "probe", args: { other: true } });
    await machine.clock.settle();
    expect(await scene.interactions("pending")).toHaveLength(1);
  });

  test("[R-4] leaves a message with the result, and no grant, if it never comes again", async () => {
    const tool = probeTool(async (context) => {
      await context.requestInteraction({ kind: "approval" });
      return { deployed: 17 };
    });
    const { machine, restart } = await killAfter(tool, [approve]);
    await using scene = await restart();
    await machine.clock.advance(2 * graceMs);
    const [message] = machine.adapter.messages;
    expect(message?.content).toContain('{"deployed":17}');
    expect(message?.content).not.toContain("Nothing has run");
    expect(await scene.gateway.listGrants(ada, { limit: 10 })).toEqual({ items: [] });
  });

  test("[R-19] has its secrets masked in the log, and the row drops them with the delivery", async () => {
    const schema = {
      type: "object",
      properties: { name: { type: "string", sensitive: true } },
      required: ["name"],
    } as const;
    const tool = probeTool(async (context) => {
      const { values } = await context.requestInteraction({ kind: "form", inputSchema: schema });
      return { said: values!["name"] };
    });
    const secret = { action: "submit", values: { name: "S3CRET-9" } } as const;
    const { machine, sessionId, restart } = await killAfter(tool, [secret]);
    await using scene = await restart();
    expect((await scene.call({ name: "probe" }).result).content).toContain("S3CRET-9");
    await machine.clock.settle();
    const [row] = await machine.disk.listToolCallInteractions(sessionId, "call_1");
    expect(row).not.toHaveProperty("keptResult");
    expect(row).not.toHaveProperty("secretValues");
    expect(JSON.stringify(await scene.events(sessionId))).not.toContain("S3CRET-9");
  });
});

describe("a tool whose gateway is killed while it works after an approval", () => {
  /** It is killed in the middle of the handler's work. */
  async function killAtWork(readOnly: boolean) {
    const machine = createMachine();
    const faults: StoreFaults = {};
    const done: string[] = [];
    const tool = defineTool({
      name: "probe",
      description: "Works once it is approved.",
      readOnly,
      parameters: { type: "object" },
      handler: async (_args: Record<string, unknown>, context) => {
        const { action } = await context.requestInteraction({ kind: "approval" });
        done.push(action);
        if (done.length === 1) faults.dead = true;
        return { done: done.length };
      },
    });
    const first = await machine.start({ tools: [tool] }, faults);
    first.call({ name: "probe" });
    await machine.clock.settle();
    await first.answer(approve).catch(() => undefined);
    const scene = await machine.start({ tools: [tool], sessionId: first.sessionId });
    return { machine, scene, done };
  }

  test("[R-4] does not work twice: its agent gets an unknown outcome", async () => {
    const { machine, scene, done } = await killAtWork(false);
    await using _ = scene;
    const result = await scene.call({ name: "probe" }).result;
    expect(result).toMatchObject({ isError: true, structured: { code: "RESULT_UNKNOWN" } });
    expect(done).toEqual(["approve"]);
    await machine.clock.settle();
    expect(await scene.interactions("pending")).toEqual([]);
    expect(await scene.interactions("delivered")).toMatchObject([
      { failure: expect.stringContaining("unknown whether") },
    ]);
  });

  test("[R-4] runs again if it changes nothing", async () => {
    const { scene, done } = await killAtWork(true);
    await using _ = scene;
    const { content } = await scene.call({ name: "probe" }).result;
    expect(JSON.parse(content)).toEqual({ done: 2 });
    expect(done).toEqual(["approve", "approve"]);
  });

  test("[R-4] has an unknown outcome if its call never comes again", async () => {
    const { machine, scene } = await killAtWork(false);
    await using _ = scene;
    await machine.clock.advance(2 * graceMs);
    expect(machine.adapter.messages).toEqual([]);
    expect(await scene.interactions("delivered")).toMatchObject([{ how: "unknown" }]);
  });
});

test("[R-4] an answer to a tool is delivered when its agent shows the result, not before", async () => {
  let fixture: GatewayFixture | undefined;
  const shown = Promise.withResolvers<void>();
  let result: ToolCallResult | undefined;
  await using opened = await openFixture(
    async (_message, context) => {
      const call = { sessionId, toolCallId: "t1", name: "probe", args: {} };
      result = await fixture!.gateway.tools.call(call, { signal: never }).result;
      await shown.promise;
      const { content, isError } = result;
      await context.emit({ type: "tool_result", toolCallId: "t1", content, isError });
      return { reason: "done" };
    },
    { tools: [probeTool((context) => context.requestInteraction(name))] },
  );
  fixture = opened;
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const [asked] = await fixture.interactions("pending");
  await fixture.gateway.respond(ada, asked!.interactionId, submit);
  await fixture.clock.settle();
  expect(result).toMatchObject({ isError: false });
  expect(await fixture.interactions("answered")).toHaveLength(1);
  shown.resolve();
  await fixture.clock.settle();
  expect(await fixture.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
});

test("[R-5] a call with the id of a delivered result opens a new question", async () => {
  let fixture: GatewayFixture | undefined;
  const results: ToolCallResult[] = [];
  await using opened = await openFixture(
    async (_message, context) => {
      const call = { sessionId, toolCallId: "t1", name: "probe", args: {} };
      for (const toolCallId of ["t1", "t1~2", "t1~3"]) {
        const result = await fixture!.gateway.tools.call(call, { signal: never }).result;
        results.push(result);
        // The adapter distinguishes calls with the same id itself.
        const { content, isError } = result;
        await context.emit({ type: "tool_result", toolCallId, content, isError });
      }
      return { reason: "done" };
    },
    { tools: [probeTool((context) => context.requestInteraction(name))] },
  );
  fixture = opened;
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  for (const text of ["Ada", "Bob", "Cem"]) {
    const [asked] = await fixture.interactions("pending");
    const values = { name: text };
    await fixture.gateway.respond(ada, asked!.interactionId, { action: "submit", values });
    await fixture.clock.settle();
  }
  expect(results.map(({ structured }) => structured!["values"])).toEqual([
    { name: "Ada" },
    { name: "Bob" },
    { name: "Cem" },
  ]);
  const delivered = await fixture.interactions("delivered");
  expect(delivered.map(({ how }) => how)).toEqual(["resumed", "resumed", "resumed"]);
});
