import type { Interaction, SessionEvent } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { ada } from "../testing/gateway-fixture.ts";
import { createMachine, type ToolScene } from "../testing/tool-scene.ts";
import type { StoreFaults } from "../testing/wrapped-store.ts";
import { defineTool } from "./define-tool.ts";
import type { PersonResponse } from "./person-response.ts";

const graceMs = 10_000;

const form = {
  kind: "form",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
} as const;

/**
 * Asks, asks again, asks two at once, and finally one it does not wait for. `heard`: the responses to handlers in
 * each run.
 */
function createTool(heard: PersonResponse[]) {
  return defineTool({
    name: "probe",
    description: "Asks in every way.",
    async handler(_args: Record<string, unknown>, context) {
      const ask = (prompt: string) =>
        context.requestInteraction({
          ...form,
          prompt,
          onResponse(response) {
            heard.push(response);
            return { complete: response.values };
          },
        });
      const first = await context.requestInteraction({
        ...form,
        prompt: "first",
        onResponse(response) {
          heard.push(response);
          return {
            reprompt: { prompt: "again", onResponse: ({ values }) => ({ complete: values }) },
          };
        },
      });
      const both = await Promise.all([ask("left"), ask("right")]);
      const last = await context.requestInteraction({
        ...form,
        prompt: "last",
        timeoutMs: 1000,
        onTimeout: () => ({ pending: { message: "Later." } }),
      });
      return { first, both, last };
    },
  });
}

interface Life {
  readonly crashed: boolean;
  /** The answers acknowledged to the person, by interaction. */
  readonly acknowledged: ReadonlyMap<string, string>;
  readonly events: readonly SessionEvent[];
  readonly interactions: readonly Interaction[];
  readonly messages: readonly string[];
  readonly results: readonly string[];
}

/** Answers every answerable request, and records the acknowledgements. */
async function answerAll(scene: ToolScene, acknowledged: Map<string, string>): Promise<void> {
  for (const { interactionId } of await scene.interactions("pending", "orphaned", "expired")) {
    const text = `answer to ${interactionId}`;
    const body = { action: "submit", values: { text } } as const;
    const result = await scene.gateway.respond(ada, interactionId, body);
    if (result.status === "accepted") acknowledged.set(interactionId, text);
    await scene.clock.settle();
  }
}

/** One gateway: the agent calls if it wants, a person answers three times and is away for the rest. */
async function live(
  scene: ToolScene,
  acknowledged: Map<string, string>,
  results: string[],
  { calls, rounds }: { readonly calls: boolean; readonly rounds: number },
): Promise<void> {
  if (calls) {
    void scene.call({ name: "probe" }).result.then(
      ({ content }) => results.push(content),
      () => undefined,
    );
  }
  try {
    await scene.clock.settle();
    for (let round = 0; round < rounds; round += 1) await answerAll(scene, acknowledged);
    await scene.clock.advance(2000);
    await answerAll(scene, acknowledged);
  } catch {
    // The process has died.
  }
}

async function crashAt(
  appendCount: number,
  when: "before" | "after",
  { comesAgain }: { readonly comesAgain: boolean },
): Promise<Life> {
  const machine = createMachine();
  const acknowledged = new Map<string, string>();
  const results: string[] = [];
  const tools = [createTool([])];
  const faults: StoreFaults = {};
  let count = 0;
  const step = () => {
    count += 1;
    if (count >= appendCount) faults.dead = true;
  };
  const first = await machine.start({ tools }, faults);
  const { sessionId } = first;
  if (when === "after") faults.afterAppend = step;
  else {
    faults.beforeAppend = () => {
      step();
      if (faults.dead) throw new Error("died before the write");
    };
  }
  await live(first, acknowledged, results, { calls: true, rounds: 3 });
  const crashed = faults.dead === true;
  faults.dead = true;
  const second = await machine.start({ tools, sessionId });
  await live(second, acknowledged, results, { calls: comesAgain && crashed, rounds: 5 });
  await machine.clock.advance(2 * graceMs);
  await answerAll(second, acknowledged);
  await second.gateway.close();
  const third = await machine.start({ tools, sessionId });
  await machine.clock.advance(2 * graceMs);
  const events = await third.events(sessionId);
  const interactions = await third.interactions(
    "pending",
    "answered",
    "delivered",
    "expired",
    "orphaned",
    "withdrawn",
  );
  await third.gateway.close();
  const messages = machine.adapter.messages.map(({ content }) => content);
  return { crashed, acknowledged, events, interactions, messages, results };
}

function summarize({ acknowledged, events, interactions, messages }: Life) {
  const delivered = events.flatMap((event) =>
    event.type === "interaction_delivered" ? [event] : [],
  );
  const byMessage = delivered.filter(({ how }) => how === "user_message");
  const count = (type: string) => events.filter((event) => event.type === type).length;
  return {
    lost: [...acknowledged].filter(
      ([id, text]) =>
        interactions.find(({ interactionId }) => interactionId === id)?.response?.values?.[
          "text"
        ] !== text,
    ),
    undelivered: [...acknowledged.keys()].filter(
      (id) => !delivered.some(({ interactionId }) => interactionId === id),
    ),
    deliveredTwice: delivered.length - new Set(delivered.map((event) => event.interactionId)).size,
    // A message that an agent got but did not act on is repeated, since more cannot be known.
    saidEach: new Set(messages).size === byMessage.length,
    unanswerable: interactions.filter(({ status }) => status === "answered" || status === "pending")
      .length,
    openTurns: count("turn_started") - count("turn_ended"),
    gaps: events.filter(({ seq }, index) => seq !== index + 1).length,
  };
}

const sound: ReturnType<typeof summarize> = {
  lost: [],
  undelivered: [],
  deliveredTwice: 0,
  saidEach: true,
  unanswerable: 0,
  openTurns: 0,
  gaps: 0,
};

describe("[R-2] [R-4] a crash at every append of a call", () => {
  for (const when of ["before", "after"] as const) {
    for (const comesAgain of [true, false]) {
      const words = comesAgain ? "and the call comes again" : "and the call never comes again";
      test(`${when} it is durable, ${words}: no answer is lost, none delivered twice, nothing hangs`, async () => {
        let crashes = 0;
        for (let appendCount = 1; ; appendCount += 1) {
          const life = await crashAt(appendCount, when, { comesAgain });
          expect({ appendCount, ...summarize(life) }).toEqual({ appendCount, ...sound });
          if (!life.crashed) break;
          crashes += 1;
        }
        expect(crashes).toBeGreaterThan(20);
      });
    }
  }

  test("without any, the call gets four answers and the fifth comes as a message", async () => {
    const life = await crashAt(Infinity, "after", { comesAgain: false });
    expect(life.results).toEqual(['{"status":"queued","message":"Later."}']);
    expect(life.acknowledged.size).toBe(5);
    expect(life.messages).toHaveLength(1);
  });
});

describe("a crash inside a handler", () => {
  test("[R-4] brings the answer to the next run of the handler, or to the agent as a message", async () => {
    for (const comesAgain of [true, false]) {
      const machine = createMachine();
      const heard: string[] = [];
      const faults: StoreFaults = {};
      const tool = (isAlive: boolean) =>
        defineTool({
          name: "probe",
          description: "Dies while it decides.",
          handler: (_args: Record<string, unknown>, context) =>
            context.requestInteraction({
              ...form,
              async onResponse({ values }) {
                heard.push(String(values?.["text"]));
                if (!isAlive) await new Promise(() => undefined);
                return { complete: values };
              },
            }),
        });
      const first = await machine.start({ tools: [tool(false)] }, faults);
      const { sessionId } = first;
      first.call({ name: "probe" });
      await machine.clock.settle();
      await first.answer({ action: "submit", values: { text: "yes" } });
      expect(heard).toEqual(["yes"]);
      faults.dead = true;
      await using second = await machine.start({ tools: [tool(true)], sessionId });
      const again = comesAgain ? second.call({ name: "probe" }) : undefined;
      await machine.clock.advance(graceMs);
      expect(heard).toEqual(comesAgain ? ["yes", "yes"] : ["yes"]);
      expect(machine.adapter.messages).toHaveLength(comesAgain ? 0 : 1);
      expect((await again?.result)?.content).toBe(comesAgain ? '{"text":"yes"}' : undefined);
      expect(await second.interactions("delivered")).toMatchObject([
        { how: comesAgain ? "resumed" : "user_message" },
      ]);
    }
  });
});
