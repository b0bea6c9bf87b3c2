import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { TurnContext } from "../ports/agent-adapter.ts";
import {
  ada,
  approval,
  never,
  openFixture,
  say,
  type GatewayFixture,
} from "../testing/gateway-fixture.ts";
import type { TurnScript } from "../testing/scripted-adapter.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { openScene } from "../testing/tool-scene.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";
import { defineTool } from "../tools/define-tool.ts";

test("[R-4] a turn that ends while a tool passes its response on has an end, and the response is sent once", async () => {
  const disk = Promise.withResolvers<void>();
  const faults: StoreFaults = {};
  const probe = defineTool({
    name: "probe",
    description: "Passes its response on.",
    handler: (_args: Record<string, unknown>, context) =>
      context.requestInteraction({
        kind: "approval",
        onResponse() {
          // From here on nothing is written, or visible to readers, until the disk has finished.
          faults.beforeAppend = () => disk.promise;
          return { pending: { message: "It is on its way." } };
        },
      }),
  });
  const store = wrapStore(createMemoryStore(), faults);
  const untilStopped: TurnScript = (_message, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ reason: "stopped" }));
    });
  let isFirst = true;
  const script: TurnScript = async (message, context) => {
    if (!isFirst) return { reason: "done" };
    isFirst = false;
    return untilStopped(message, context);
  };
  await using scene = await openScene({ tools: [probe], store, script });
  await scene.send(scene.sessionId, "go");
  scene.call({ name: "probe" });
  await scene.clock.settle();
  await scene.answer({ action: "approve" });
  await scene.gateway.stopTurn(ada, scene.sessionId);
  await scene.clock.settle();
  faults.beforeAppend = undefined;
  disk.resolve();
  await scene.clock.settle();
  const types = await scene.eventTypes(scene.sessionId);
  const count = (wanted: string) => types.filter((type) => type === wanted).length;
  expect(count("turn_ended")).toBe(count("turn_started"));
  expect(scene.adapter.messages).toHaveLength(2);
  expect(await scene.interactions("delivered")).toMatchObject([{ how: "user_message" }]);
});

describe("[R-8] a turn whose agent ends while the disk is slow", () => {
  /** The last events of a turn in which the agent acts like this without awaiting anything. */
  async function play(act: (context: TurnContext) => void, check: StoreFaults["beforeAppend"]) {
    const disk = Promise.withResolvers<void>();
    const faults: StoreFaults = {};
    const store = wrapStore(createMemoryStore(), faults);
    const script: TurnScript = async (_message, context) => {
      // Nothing is visible to readers until the disk has finished.
      faults.beforeAppend = (batch) => disk.promise.then(() => check?.(batch));
      act(context);
      return { reason: "done" };
    };
    await using fixture = await openFixture(script, { store });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    disk.resolve();
    await fixture.clock.settle();
    return await fixture.events(sessionId);
  }

  test("withdraws its requests before it ends", async () => {
    const ask = (context: TurnContext) =>
      void context.hold(approval("forgotten"), { signal: never });
    expect((await play(ask, undefined)).slice(-3)).toMatchObject([
      { type: "interaction_request" },
      { type: "interaction_closed", status: "withdrawn" },
      { type: "turn_ended", reason: "done" },
    ]);
  });

  test("ends with an error if the agent's messages could not be written", async () => {
    const speak = (context: TurnContext) => void say(context, "m1", "lost");
    const events = await play(speak, ({ events: written = [] }) => {
      if (written.some(({ type }) => type === "assistant_message")) throw new Error("disk full");
    });
    expect(events.slice(-2)).toMatchObject([
      { type: "error", code: "AGENT_FAILED" },
      { type: "turn_ended", reason: "error" },
    ]);
  });
});

test("the end of a turn has the agent's usage, even if it was stopped", async () => {
  const used = { inputTokens: 10, cachedTokens: 4, outputTokens: 5 };
  const script: TurnScript = async ({ content }, context) => {
    if (content !== "quietly") context.used({ ...used, costUsd: 0.25 });
    if (content === "twice") context.used(used);
    return { reason: content === "stop" ? "stopped" : "done" };
  };
  await using fixture = await openFixture(script);
  const sessionId = await fixture.createSession();
  for (const content of ["once", "twice", "stop", "quietly"]) {
    await fixture.send(sessionId, content);
  }
  const ends = (await fixture.events(sessionId)).filter(({ type }) => type === "turn_ended");
  expect(ends.map((event) => "usage" in event && event.usage)).toEqual([
    { ...used, costUsd: 0.25 },
    { inputTokens: 20, cachedTokens: 8, outputTokens: 10, costUsd: 0.25 },
    { ...used, costUsd: 0.25 },
    false,
  ]);
});

test("a session shows that its last turn failed, even after a restart, until the next one begins", async () => {
  const store = createMemoryStore();
  const clock = new SimulatedClock();
  const ids = createSequentialIds();
  const script: TurnScript = async ({ content }) =>
    content === "fail"
      ? { reason: "error", code: "AGENT_FAILED", message: "No." }
      : { reason: content === "stop" ? "stopped" : "done" };
  const first = await openFixture(script, { store, clock, ids });
  const sessionId = await first.createSession();
  const failed = async ({ gateway }: GatewayFixture) =>
    (await gateway.getSession(ada, sessionId)).hasFailed;
  const seen: unknown[] = [await failed(first)];
  for (const content of ["fail", "go", "fail"]) {
    await first.send(sessionId, content);
    seen.push(await failed(first));
  }
  expect(seen).toEqual([undefined, true, undefined, true]);
  await first.gateway.close();
  await using second = await openFixture(script, { store, clock, ids });
  expect(await failed(second)).toBe(true);
  await second.send(sessionId, "stop");
  expect(await failed(second)).toBeUndefined();
  await clock.advance(1000);
  await second.send(sessionId, "go");
  const { lastEndedAt } = await second.gateway.getSession(ada, sessionId);
  expect(lastEndedAt).toBe(new Date(clock.now()).toISOString());
});
