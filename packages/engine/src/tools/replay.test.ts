import { describe, expect, test } from "vitest";

import { ada } from "../testing/gateway-fixture.ts";
import { createMachine, type ToolScene } from "../testing/tool-scene.ts";
import type { StoreFaults } from "../testing/wrapped-store.ts";
import { defineTool } from "./define-tool.ts";
import type { ToolContext } from "./tool-context.ts";

const graceMs = 10_000;

function toolOf(handler: (context: ToolContext, args: Record<string, unknown>) => unknown) {
  return defineTool({
    name: "probe",
    description: "Does what the test says.",
    parameters: { type: "object" },
    handler: (args, context) => handler(context, args),
  });
}

const form = {
  kind: "form",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  },
} as const;

/** Asks for a name, and again until it is long enough. */
function askName(context: ToolContext, prompt: string): Promise<string> {
  return context.requestInteraction({
    ...form,
    prompt,
    onResponse: ({ values }) =>
      String(values?.["name"]).length > 1
        ? { complete: String(values?.["name"]) }
        : { reprompt: { error: "Longer, please." } },
  });
}

const twoNames = toolOf(async (context) => [
  await askName(context, "First name?"),
  await askName(context, "Last name?"),
]);

const secretTool = toolOf(async (context) => {
  const { values } = await context.requestInteraction({
    kind: "form",
    inputSchema: {
      type: "form",
      fields: [{ id: "name", type: "text", label: "PIN", sensitive: true }],
    },
  });
  await askName(context, "Name?");
  return values!["name"];
});

const submit = (name: string) => ({ action: "submit", values: { name } }) as const;

/** A call whose gateway is killed after these answers. */
async function killAfter(answers: readonly string[], tool = twoNames) {
  const machine = createMachine();
  const faults: StoreFaults = {};
  const first = await machine.start({ tools: [tool] }, faults);
  const { sessionId } = first;
  first.call({ name: "probe" });
  await machine.clock.settle();
  for (const name of answers) await first.answer(submit(name));
  faults.dead = true;
  const restart = (tools = [tool]) => machine.start({ tools, sessionId });
  return { machine, sessionId, restart };
}

describe("the same call after its gateway died", () => {
  test("takes over the open request: nothing is asked twice, and the answer continues the handler", async () => {
    const { machine, restart } = await killAfter(["Ada"]);
    await using scene = await restart();
    const { interactionId } = await scene.waiting();
    const { result } = scene.call({ name: "probe" });
    await machine.clock.settle();
    expect(await scene.waiting()).toMatchObject({ interactionId, prompt: "Last name?" });
    await scene.answer(submit("Lovelace"));
    expect((await result).content).toBe('["Ada","Lovelace"]');
    await machine.clock.settle();
    expect(await scene.interactions("delivered")).toMatchObject([
      { how: "resumed" },
      { how: "resumed" },
    ]);
    expect(machine.adapter.messages).toEqual([]);
    expect(scene.errors).toEqual([]);
  });

  test("[R-6] is refused if it would now run somewhere else", async () => {
    const places = ["/one", "/two"];
    const tool = toolOf(async (context) => {
      const cwd = places.shift() ?? "";
      const { action } = await context.requestInteraction({ kind: "approval", cwd });
      return `${action} in ${cwd}`;
    });
    const { machine, restart } = await killAfter([], tool);
    await using scene = await restart();
    const { result } = scene.call({ name: "probe" });
    await machine.clock.settle();
    expect((await result).content).toContain("REPLAY_MISMATCH");
  });

  test("[R-18] leaves no timer behind in a gateway that could not be opened", async () => {
    const { machine, restart } = await killAfter([]);
    const { timerCount } = machine.clock;
    machine.disk.listSessions = () => Promise.reject(new Error("broken"));
    await expect(restart()).rejects.toThrow("broken");
    expect(machine.clock.timerCount).toBe(timerCount);
  });

  test("[R-3] has its deadline even while its return is uncertain", async () => {
    const patient = toolOf((context) =>
      context.requestInteraction({
        ...form,
        timeoutMs: graceMs / 2,
        onTimeout: () => ({ pending: { message: "Later." } }),
      }),
    );
    const { machine, restart } = await killAfter([], patient);
    await using scene = await restart();
    await machine.clock.advance(2 * graceMs);
    expect(await scene.waiting()).toMatchObject({ hold: "queued" });
    await scene.answer(submit("Ada"));
    expect(machine.adapter.messages).toHaveLength(1);
  });

  test("[R-4] gets an answer that the handler had not received", async () => {
    const machine = createMachine();
    const faults: StoreFaults = {};
    const first = await machine.start({ tools: [twoNames] }, faults);
    const { sessionId } = first;
    first.call({ name: "probe" });
    await machine.clock.settle();
    faults.afterAppend = (batch) => {
      if (batch.events?.[0]?.type === "interaction_response") faults.dead = true;
    };
    await first.answer(submit("Ada")).catch(() => undefined);
    await using scene = await machine.start({ tools: [twoNames], sessionId });
    expect(await scene.interactions("answered")).toHaveLength(1);
    scene.call({ name: "probe" });
    await machine.clock.settle();
    expect(await scene.waiting()).toMatchObject({ prompt: "Last name?" });
    expect(await scene.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
    await machine.clock.advance(2 * graceMs);
    expect(machine.adapter.messages).toEqual([]);
  });

  test("replays reprompts with their rounds", async () => {
    const { machine, restart } = await killAfter(["A", "B", "Ada", "L"]);
    await using scene = await restart();
    const { result } = scene.call({ name: "probe" });
    await machine.clock.settle();
    expect(await scene.waiting()).toMatchObject({
      prompt: "Last name?",
      attempt: 2,
      error: "Longer, please.",
      form: { initialValues: { name: "L" } },
    });
    await scene.answer(submit("Lovelace"));
    expect((await result).content).toBe('["Ada","Lovelace"]');
    expect(await scene.interactions("delivered")).toHaveLength(5);
  });

  test("takes over answers given between the start and its return", async () => {
    const { machine, restart } = await killAfter(["Ada"]);
    await using scene = await restart();
    expect(await scene.answer(submit("Lovelace"))).toMatchObject({ status: "accepted" });
    expect(machine.adapter.messages).toEqual([]);
    const { result } = scene.call({ name: "probe" });
    expect((await result).content).toBe('["Ada","Lovelace"]');
    expect(machine.adapter.messages).toEqual([]);
  });

  test("asks again for secrets that are gone", async () => {
    const { machine, restart } = await killAfter(["12345"], secretTool);
    await using scene = await restart();
    const { result } = scene.call({ name: "probe" });
    await machine.clock.settle();
    const [name, pin] = await scene.interactions("pending");
    expect(pin).toMatchObject({ form: { schema: { properties: { name: { sensitive: true } } } } });
    await scene.gateway.respond(ada, pin!.interactionId, submit("67890"));
    await machine.clock.settle();
    await scene.gateway.respond(ada, name!.interactionId, submit("Ada"));
    expect((await result).content).toBe('"67890"');
  });

  test("keeps its later questions, however long the first one takes", async () => {
    const { machine, restart } = await killAfter(["12345"], secretTool);
    await using scene = await restart();
    const { result } = scene.call({ name: "probe" });
    await machine.clock.advance(5 * graceMs);
    const [name, pin] = await scene.interactions("pending");
    await scene.gateway.respond(ada, name!.interactionId, submit("Ada"));
    await scene.gateway.respond(ada, pin!.interactionId, submit("67890"));
    expect((await result).content).toBe('"67890"');
    expect(machine.adapter.messages).toEqual([]);
  });

  test("gives its later questions up when it ends without them", async () => {
    const { machine, restart } = await killAfter(["12345"], secretTool);
    await using scene = await restart();
    const { result } = scene.call({ name: "probe" });
    await machine.clock.advance(5 * graceMs);
    await scene.gateway.stopTurn(ada, scene.sessionId);
    await result;
    await machine.clock.advance(graceMs);
    expect(await scene.interactions("orphaned")).toMatchObject([{ prompt: "Name?" }]);
  });

  test("is stopped like any other, with the requests it took over", async () => {
    const { machine, restart } = await killAfter([]);
    await using scene = await restart();
    const { result } = scene.call({ name: "probe" });
    await machine.clock.settle();
    await scene.gateway.stopTurn(ada, scene.sessionId);
    expect((await result).structured).toMatchObject({ code: "INTERACTION_CANCELLED" });
    await machine.clock.settle();
    expect(await scene.interactions("withdrawn")).toHaveLength(1);
    expect(await scene.interactions("pending")).toEqual([]);
  });

  test("[R-3] keeps the deadline of the requests it took over", async () => {
    const { machine, restart } = await killAfter([]);
    await using scene = await restart();
    const { result } = scene.call({ name: "probe" });
    await machine.clock.advance(600_000);
    expect((await result).structured).toMatchObject({ code: "INTERACTION_TIMEOUT" });
    expect(await scene.interactions("expired")).toHaveLength(1);
  });

  test("survives a second death", async () => {
    const { machine, sessionId, restart } = await killAfter(["Ada"]);
    const second = await restart();
    second.call({ name: "probe" });
    await machine.clock.settle();
    await second.gateway.close();
    await using scene = await machine.start({ tools: [twoNames], sessionId });
    const { result } = scene.call({ name: "probe" });
    await machine.clock.settle();
    await scene.answer(submit("Lovelace"));
    expect((await result).content).toBe('["Ada","Lovelace"]');
  });
});

describe("a call that does not come again", () => {
  test("leaves its question open for a late answer, after a grace", async () => {
    const { machine, restart } = await killAfter(["Ada"]);
    await using scene = await restart();
    expect(await scene.interactions("pending")).toHaveLength(1);
    await machine.clock.advance(graceMs);
    expect(await scene.interactions("orphaned")).toHaveLength(1);
    const [orphan] = await scene.interactions("orphaned");
    await scene.gateway.respond(ada, orphan!.interactionId, submit("Lovelace"));
    await machine.clock.settle();
    expect(machine.adapter.messages).toHaveLength(1);
  });

  test("[R-4] has its answer sent as a message, once, after a grace", async () => {
    const { machine, sessionId, restart } = await killAfter(["Ada"]);
    const scene = await restart();
    await scene.answer(submit("Lovelace"));
    expect(machine.adapter.messages).toEqual([]);
    await machine.clock.advance(graceMs);
    expect(machine.adapter.messages).toHaveLength(1);
    expect(machine.adapter.messages[0]?.content).toContain("Lovelace");
    await scene.gateway.close();
    await using again = await machine.start({ tools: [twoNames], sessionId });
    await machine.clock.advance(graceMs);
    expect(machine.adapter.messages).toHaveLength(1);
    expect(again.errors).toEqual([]);
  });

  test("returns too late after that, and gets that the answer comes as a message", async () => {
    const { machine, restart } = await killAfter(["Ada"]);
    await using scene = await restart();
    await machine.clock.advance(graceMs);
    const { result } = scene.call({ name: "probe" });
    expect((await result).structured).toMatchObject({ status: "queued" });
    expect(await scene.interactions("pending")).toEqual([]);
  });

  test("is given up even if the store fails in that moment", async () => {
    const { machine, sessionId } = await killAfter(["Ada"]);
    const faults: StoreFaults = {};
    const scene = await machine.start({ tools: [twoNames], sessionId }, faults);
    await using _ = scene;
    faults.beforeAppend = () => {
      throw new Error("disk full");
    };
    await machine.clock.advance(graceMs);
    expect(await scene.interactions("pending")).toHaveLength(1);
    faults.beforeAppend = undefined;
    await machine.clock.advance(1000);
    expect(await scene.interactions("orphaned")).toHaveLength(1);
  });

  test("waits as long as configured", async () => {
    const { machine, sessionId } = await killAfter(["Ada"]);
    await using scene = await machine.start({
      tools: [twoNames],
      sessionId,
      reattachGraceMs: 60_000,
    });
    await machine.clock.advance(59_999);
    expect(await scene.interactions("pending")).toHaveLength(1);
    await machine.clock.advance(1);
    expect(await scene.interactions("orphaned")).toHaveLength(1);
  });
});

describe("[R-6] a handler with another request than before", () => {
  async function replayWith(other: (context: ToolContext) => unknown) {
    const { machine, restart } = await killAfter(["Ada"]);
    const scene: ToolScene = await restart([toolOf(other)]);
    const { result } = scene.call({ name: "probe" });
    const { structured } = await result;
    await machine.clock.settle();
    return { scene, machine, structured };
  }

  test("fails with an error", async () => {
    const { scene, structured } = await replayWith((context) => askName(context, "Nickname?"));
    await using _ = scene;
    expect(structured).toMatchObject({ status: "error", code: "REPLAY_MISMATCH" });
    expect(scene.errors).toMatchObject([{ code: "REPLAY_MISMATCH" }]);
  });

  test("cannot catch that error", async () => {
    const { scene, structured } = await replayWith(async (context) => {
      await askName(context, "Nickname?").catch(() => undefined);
      return "all is fine";
    });
    await using _ = scene;
    expect(structured).toMatchObject({ code: "REPLAY_MISMATCH" });
  });

  test("leaves its open request for a late answer", async () => {
    const { scene, machine } = await replayWith((context) => askName(context, "Nickname?"));
    await using _ = scene;
    await machine.clock.advance(graceMs);
    expect(await scene.interactions("orphaned")).toMatchObject([{ prompt: "Last name?" }]);
  });

  test("may change how long, where and how a request is shown", async () => {
    const { scene, structured } = await replayWith(async (context) => {
      const name = await context.requestInteraction({
        ...form,
        prompt: "First name?",
        timeoutMs: 5000,
        presentation: "questionnaire",
        onResponse: ({ values }) => ({ complete: String(values?.["name"]) }),
      });
      return { name };
    });
    await using _ = scene;
    expect(structured).toEqual({ name: "Ada" });
  });
});

describe("[R-5] an earlier answer is not used", () => {
  test("for other arguments", async () => {
    const { machine, restart } = await killAfter(["Ada"]);
    await using scene = await restart();
    scene.call({ name: "probe", args: { other: true } });
    await machine.clock.settle();
    const pending = await scene.interactions("pending");
    expect(new Set(pending.map(({ prompt }) => prompt))).toEqual(
      new Set(["First name?", "Last name?"]),
    );
  });

  test("for another id", async () => {
    const { machine, restart } = await killAfter(["Ada"]);
    await using scene = await restart();
    scene.call({ name: "probe", toolCallId: "call_2" });
    await machine.clock.settle();
    const pending = await scene.interactions("pending");
    expect(new Set(pending.map(({ prompt }) => prompt))).toEqual(
      new Set(["First name?", "Last name?"]),
    );
  });

  test("for another session", async () => {
    const { machine, restart } = await killAfter(["Ada"]);
    await using scene = await restart();
    const other = await scene.createSession();
    scene.call({ name: "probe", sessionId: other });
    await machine.clock.settle();
    const [asked] = (await scene.interactions("pending")).filter(
      ({ sessionId }) => sessionId === other,
    );
    expect(asked).toMatchObject({ prompt: "First name?" });
  });

  test("once the call has ended, even by failing or being stopped", async () => {
    const failing = toolOf(async (context) => {
      await askName(context, "First name?");
      throw new Error("no");
    });
    const { machine, restart } = await killAfter([], failing);
    await using scene = await restart();
    for (let round = 0; round < 3; round += 1) {
      const { result } = scene.call({ name: "probe" });
      await machine.clock.settle();
      await scene.answer(submit("Ada"));
      expect((await result).structured).toMatchObject({ message: "no" });
    }
    expect(await scene.interactions("delivered")).toHaveLength(3);
  });

  test("once its answer was sent as a message", async () => {
    const { machine, restart } = await killAfter(["Ada"]);
    await using scene = await restart();
    await scene.answer(submit("Lovelace"));
    await machine.clock.advance(graceMs);
    expect(machine.adapter.messages).toHaveLength(1);
    scene.call({ name: "probe" });
    await machine.clock.settle();
    expect(await scene.waiting()).toMatchObject({ prompt: "First name?" });
  });
});
