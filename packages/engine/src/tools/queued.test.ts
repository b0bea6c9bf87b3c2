import { describe, expect, test, vi } from "vitest";

import { StoreError } from "../lib/gateway-error.ts";
import { ada, bob, say } from "../testing/gateway-fixture.ts";
import { createMachine, listening, openScene } from "../testing/tool-scene.ts";
import type { StoreFaults } from "../testing/wrapped-store.ts";
import { defineTool } from "./define-tool.ts";
import type { InteractionOutcome } from "./interaction-request.ts";
import type { ToolContext } from "./tool-context.ts";

const dayMs = 24 * 3_600_000;

function toolOf(handler: (context: ToolContext) => unknown) {
  return defineTool({
    name: "probe",
    description: "Does what the test says.",
    handler: (_args: Record<string, unknown>, context) => handler(context),
  });
}

const nameForm = {
  kind: "form",
  prompt: "What is your name?",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string", maxLength: 10 } },
    required: ["name"],
  },
} as const;

const queued = { status: "queued", message: "You will be told." };
const pending: InteractionOutcome<never> = { pending: { message: "You will be told." } };

/** Asks for a name, and after a second lets the question stay open. */
const patient = toolOf((context) =>
  context.requestInteraction({ ...nameForm, timeoutMs: 1000, onTimeout: () => pending }),
);

async function openQueued(options: Parameters<typeof openScene>[0] = {}) {
  const scene = await openScene({ tools: [patient], ...options });
  const { result } = scene.call({ name: "probe" });
  await scene.clock.advance(1000);
  expect((await result).structured).toEqual(queued);
  await scene.clock.settle();
  return scene;
}

describe("a call that ends as queued at its deadline", () => {
  test("leaves the question open without a deadline, and its turn ends", async () => {
    await using scene = await openQueued();
    const interaction = await scene.waiting();
    expect(interaction).toMatchObject({ status: "pending", hold: "queued", onTimeout: "handler" });
    expect(interaction).not.toHaveProperty("deadlineAt");
    expect(await scene.eventTypes(scene.sessionId)).toEqual([
      "turn_started",
      "tool_call",
      "interaction_request",
      "interaction_hold_changed",
      "tool_result",
      "turn_ended",
    ]);
    expect((await scene.gateway.getSession(ada, scene.sessionId)).status).toBe("idle");
    await scene.clock.advance(30 * dayMs);
    expect(await scene.waiting()).toEqual(interaction);
  });

  test("[R-4] gets the answer as a message, once", async () => {
    await using scene = await openQueued();
    await scene.clock.advance(3 * dayMs);
    const { interactionId } = await scene.waiting();
    expect(await scene.answer({ action: "submit", values: { name: "Ada" } })).toMatchObject({
      status: "accepted",
      interaction: { status: "answered", hold: "queued" },
    });
    expect(scene.adapter.messages).toHaveLength(1);
    expect(scene.adapter.messages[0]?.content).toContain('"name": "Ada"');
    expect(await scene.interactions("delivered")).toMatchObject([
      { interactionId, how: "user_message" },
    ]);
    const again = await scene.gateway.respond(bob, interactionId, { action: "cancel" });
    expect(again).toMatchObject({ problem: { code: "ALREADY_ANSWERED" } });
    await scene.clock.settle();
    expect(scene.adapter.messages).toHaveLength(1);
  });

  test("[R-11] has its answer checked like any other", async () => {
    await using scene = await openQueued();
    for (const values of [{}, { name: "a name too long" }, { name: "Ada", more: 1 }]) {
      expect(await scene.answer({ action: "submit", values })).toMatchObject({
        problem: { code: "INVALID_RESPONSE" },
      });
    }
    expect(await scene.waiting()).toMatchObject({ status: "pending" });
  });

  test("[R-13] accepts no answer from a client whose interaction is off", async () => {
    await using scene = await openQueued();
    const { interactionId } = await scene.waiting();
    await scene.gateway.setInteractionMode(ada, "page", { enabled: false });
    await expect(
      scene.gateway.respond(scene.page.caller, interactionId, { action: "cancel" }),
    ).rejects.toMatchObject({ code: "INTERACTION_DISABLED" });
    await scene.gateway.setInteractionMode(ada, "page", { enabled: true });
    expect(
      await scene.gateway.respond(scene.page.caller, interactionId, { action: "cancel" }),
    ).toMatchObject({ status: "accepted" });
  });

  test("[R-8] gets the answer behind a running turn", async () => {
    const goOn = Promise.withResolvers<void>();
    await using scene = await openQueued({
      script: async (message, context) => {
        if (message.content !== "work") return { reason: "done" };
        await goOn.promise;
        await say(context, "m", "worked");
        return { reason: "done" };
      },
    });
    await scene.send(scene.sessionId, "work");
    await scene.answer({ action: "submit", values: { name: "Ada" } });
    expect(scene.adapter.messages).toHaveLength(1);
    expect((await scene.gateway.listQueue(ada, scene.sessionId)).items).toMatchObject([
      { origin: "late_response" },
    ]);
    goOn.resolve();
    await scene.clock.settle();
    expect(scene.adapter.messages).toHaveLength(2);
  });

  test("survives the stop of a later turn, and is deleted with its session", async () => {
    await using scene = await openQueued();
    const { interactionId } = await scene.waiting();
    await scene.send(scene.sessionId, "hello");
    await scene.gateway.stopTurn(ada, scene.sessionId);
    expect(await scene.waiting()).toMatchObject({ interactionId });
    await scene.gateway.deleteSession(ada, scene.sessionId);
    await expect(
      scene.gateway.respond(ada, interactionId, { action: "cancel" }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("does not prevent a turn from ending when the gateway stops", async () => {
    await using scene = await openScene({
      tools: [patient],
      script: async (_message, context) => {
        await scene.call({ name: "probe" }).result;
        await new Promise((resolve) => {
          context.signal.addEventListener("abort", resolve);
        });
        return { reason: "done" };
      },
    });
    await scene.send(scene.sessionId, "go");
    await scene.clock.advance(1000);
    await scene.gateway.close();
    expect((await scene.events(scene.sessionId)).at(-1)).toMatchObject({
      type: "turn_ended",
      reason: "done",
    });
    expect(await scene.waiting()).toMatchObject({ hold: "queued" });
  });

  test("returns the same when it is called again, without asking again", async () => {
    await using scene = await openQueued();
    const { result } = scene.call({ name: "probe" });
    await scene.clock.settle();
    expect((await result).structured).toMatchObject({ status: "queued" });
    expect(await scene.interactions("pending")).toHaveLength(1);
  });
});

describe("[R-2] [R-4] over restarts", () => {
  test("a queued question stays open, and its answer reaches the agent once", async () => {
    const machine = createMachine();
    const faults: StoreFaults = {};
    const first = await machine.start({ tools: [patient] }, faults);
    const { sessionId } = first;
    const { result } = first.call({ name: "probe" });
    await machine.clock.advance(1000);
    await result;
    faults.dead = true;
    const second = await machine.start({ tools: [patient], sessionId });
    await machine.clock.advance(5 * dayMs);
    expect(await second.waiting()).toMatchObject({ hold: "queued", status: "pending" });
    await second.gateway.close();
    await using third = await machine.start({ tools: [patient], sessionId });
    await third.answer({ action: "submit", values: { name: "Ada" } });
    expect(machine.adapter.messages).toHaveLength(1);
  });

  test("an answer given when the gateway died is sent by the next one, once", async () => {
    const machine = createMachine();
    const faults: StoreFaults = {};
    const first = await machine.start({ tools: [patient] }, faults);
    const { sessionId } = first;
    const { result } = first.call({ name: "probe" });
    await machine.clock.advance(1000);
    await result;
    await machine.clock.settle();
    faults.afterAppend = (batch) => {
      if (batch.events?.[0]?.type === "interaction_response") faults.dead = true;
    };
    await first.answer({ action: "submit", values: { name: "Ada" } }).catch(() => undefined);
    expect(machine.adapter.messages).toEqual([]);
    const second = await machine.start({ tools: [patient], sessionId });
    expect(machine.adapter.messages).toHaveLength(1);
    await second.gateway.close();
    await using third = await machine.start({ tools: [patient], sessionId });
    expect(machine.adapter.messages).toHaveLength(1);
    const types = await third.eventTypes(sessionId);
    expect(types.filter((type) => type === "interaction_delivered")).toHaveLength(1);
  });

  test("a deadline that passed during the restart leaves the question open if its handler would have decided", async () => {
    const machine = createMachine();
    const faults: StoreFaults = {};
    const first = await machine.start({ tools: [patient] }, faults);
    const { sessionId } = first;
    first.call({ name: "probe" });
    await machine.clock.settle();
    faults.dead = true;
    machine.clock.now = () => Date.UTC(2026, 0, 2);
    await using second = await machine.start({ tools: [patient], sessionId });
    expect(await second.waiting()).toMatchObject({ hold: "queued", status: "pending" });
  });
});

describe("an answer that its handler passes on", () => {
  test("is a message to the agent, once", async () => {
    const tool = toolOf((context) =>
      context.requestInteraction({ ...nameForm, onResponse: () => pending }),
    );
    await using scene = await openScene({ tools: [tool] });
    const { result } = scene.call({ name: "probe" });
    await scene.clock.settle();
    await scene.answer({ action: "submit", values: { name: "Ada" } });
    expect((await result).structured).toEqual(queued);
    await scene.clock.settle();
    expect(scene.adapter.messages).toHaveLength(1);
    expect(scene.adapter.messages[0]?.content).toContain("Ada");
    expect(scene.adapter.messages[0]?.content).toContain("saying: You will be told.");
    expect(await scene.interactions("delivered")).toMatchObject([{ how: "user_message" }]);
    expect(await scene.interactions("pending")).toEqual([]);
  });

  test("[R-5] does not state what an approval ran, since only the tool knows", async () => {
    const tool = toolOf((context) =>
      context.requestInteraction({ kind: "approval", onResponse: () => pending }),
    );
    await using scene = await openScene({ tools: [tool] });
    const { result } = scene.call({ name: "probe" });
    await scene.clock.settle();
    await scene.answer({ action: "approve" });
    await result;
    await scene.clock.settle();
    expect(scene.adapter.messages[0]?.content).toContain("Decision: approved.");
    expect(scene.adapter.messages[0]?.content).not.toContain("Nothing has run");
  });

  test("is none when the person cancelled: the question stays open for later", async () => {
    const tool = toolOf((context) =>
      context.requestInteraction({
        ...nameForm,
        onResponse: ({ action }) => (action === "cancel" ? pending : { complete: "at once" }),
      }),
    );
    await using scene = await openScene({ tools: [tool] });
    const { result } = scene.call({ name: "probe" });
    await scene.clock.settle();
    const first = await scene.waiting();
    await scene.answer({ action: "cancel", reason: "later" });
    expect((await result).structured).toEqual(queued);
    await scene.clock.settle();
    expect(scene.adapter.messages).toEqual([]);
    expect(await scene.waiting()).toMatchObject({
      hold: "queued",
      previousId: first.interactionId,
      attempt: 2,
    });
    await scene.answer({ action: "submit", values: { name: "Ada" } });
    expect(scene.adapter.messages).toHaveLength(1);
  });
});

describe("a call that is finished as queued", () => {
  const asking = toolOf((context) => context.requestInteraction(nameForm));

  test("ends at once, and the question stays open", async () => {
    await using scene = await openScene({ tools: [asking] });
    const call = scene.call({ name: "probe" });
    await scene.clock.settle();
    call.finishAsQueued();
    expect((await call.result).structured).toMatchObject({ status: "queued" });
    await scene.clock.settle();
    expect(await scene.waiting()).toMatchObject({ hold: "queued" });
    await scene.answer({ action: "submit", values: { name: "Ada" } });
    expect(scene.adapter.messages).toHaveLength(1);
    expect(scene.errors).toEqual([]);
  });

  test("[R-4] ends as soon as the store can write it, and does not keep its agent waiting", async () => {
    const faults: StoreFaults = {};
    await using scene = await createMachine().start({ tools: [asking] }, faults);
    const call = scene.call({ name: "probe" });
    await scene.clock.settle();
    faults.beforeAppend = () => {
      throw new StoreError("STORE_FAILED", "The disk is full.");
    };
    call.finishAsQueued();
    await scene.clock.advance(3000);
    faults.beforeAppend = undefined;
    await scene.clock.advance(1000);
    expect(await scene.waiting()).toMatchObject({ hold: "queued" });
    expect((await call.result).structured).toMatchObject({ status: "queued" });
  });

  test("ends as soon as it asks if it was finished earlier", async () => {
    await using scene = await openScene({ tools: [asking] });
    const call = scene.call({ name: "probe" });
    call.finishAsQueued();
    expect((await call.result).structured).toMatchObject({ status: "queued" });
    await scene.clock.settle();
    expect(await scene.waiting()).toMatchObject({ hold: "queued" });
  });

  test("continues to its result if it never asks", async () => {
    await using scene = await openScene({ tools: [toolOf(() => "quick")] });
    const call = scene.call({ name: "probe" });
    call.finishAsQueued();
    expect((await call.result).content).toBe('"quick"');
    call.finishAsQueued();
  });

  test("leaves all its simultaneous questions open", async () => {
    const both = toolOf((context) =>
      Promise.all([context.requestInteraction(nameForm), context.requestInteraction(nameForm)]),
    );
    await using scene = await openScene({ tools: [both] });
    const call = scene.call({ name: "probe" });
    await scene.clock.settle();
    call.finishAsQueued();
    await call.result;
    await scene.clock.settle();
    expect(await scene.interactions("pending")).toMatchObject([
      { hold: "queued" },
      { hold: "queued" },
    ]);
    expect(await scene.interactions("withdrawn")).toEqual([]);
  });

  test("aborts its handler's signal, and the handler's later calls change nothing", async () => {
    const seen = vi.fn<(aborted: boolean, code: unknown) => void>();
    const stubborn = toolOf(async (context) => {
      try {
        return await context.requestInteraction(nameForm);
      } catch (error: unknown) {
        seen(context.signal.aborted, (error as { code?: unknown }).code);
        return "something else";
      }
    });
    await using scene = await openScene({ tools: [stubborn] });
    const call = scene.call({ name: "probe" });
    await scene.clock.settle();
    call.finishAsQueued();
    expect((await call.result).structured).toMatchObject({ status: "queued" });
    await scene.clock.settle();
    expect(seen.mock.calls).toEqual([[true, "INTERACTION_QUEUED"]]);
  });

  test("[R-1] [R-4] races with the answer, which is delivered one way, once", async () => {
    const scene = await openScene({
      tools: [asking],
      script: listening,
      limits: { asksPerSecondPerSession: 1e6 },
    });
    await using _ = scene;
    const rounds = 300;
    const ways = { resumed: 0, user_message: 0, unknown: 0, overruled: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const call = scene.call({ name: "probe", toolCallId: `call_${round}` });
      await scene.clock.settle();
      const { interactionId } = await scene.waiting();
      const answer = () =>
        scene.gateway.respond(ada, interactionId, {
          action: "submit",
          values: { name: String(round) },
        });
      // Up to a few turns of the promise queue pass between the two.
      const finish = async () => call.finishAsQueued();
      const [first, second] = round % 2 === 0 ? [finish, answer] : [answer, finish];
      const begun = first();
      for (let turn = 0; turn < round % 7; turn += 1) await Promise.resolve();
      const results = await Promise.all([begun, second()]);
      expect(results).toContainEqual(expect.objectContaining({ status: "accepted" }));
      const { structured } = await call.result;
      await scene.clock.settle();
      const { how, hold, status } = await scene.gateway.getInteraction(ada, interactionId);
      expect(status).toBe("delivered");
      ways[how!] += 1;
      const isMessage = how === "user_message";
      expect(structured).toMatchObject(
        isMessage ? { status: "queued" } : { action: "submit", values: { name: String(round) } },
      );
      expect(hold).toBe(isMessage ? "queued" : "held");
    }
    expect(scene.adapter.messages).toHaveLength(ways.user_message);
    expect(ways.resumed + ways.user_message).toBe(rounds);
    expect(Math.min(ways.resumed, ways.user_message)).toBeGreaterThan(20);
    expect(scene.errors).toEqual([]);
  });
});
