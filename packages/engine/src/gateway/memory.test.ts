import { describe, expect, test } from "vitest";

import { respond } from "../interaction/respond.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import { createSession } from "../session/sessions.ts";
import { followSession } from "../stream/follow-session.ts";
import { ada, approval, never } from "../testing/gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "../testing/scripted-adapter.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { sendMessage } from "../turn/queued-messages.ts";
import { compose } from "./compose.ts";

const count = 10_000;

/** The parts of a gateway, open to inspection. */
async function openParts(script: TurnScript) {
  const clock = new SimulatedClock();
  const closing = new AbortController();
  const core = compose(
    {
      store: createMemoryStore(),
      clock,
      ids: createSequentialIds(),
      agents: new Map([["scripted", createScriptedAdapter(script)]]),
      defaultCwd: "/work",
      limits: { pendingPerSession: count, asksPerSecondPerSession: 1e9 },
    },
    closing.signal,
  );
  const { sessionId } = await createSession(core, { agent: "scripted" });
  return { core, clock, sessionId };
}

describe("[R-14] ten thousand interactions", () => {
  test("opened at once and settled leave no timer, waiter or listener", async () => {
    const signal = countListeners(new AbortController().signal);
    const { core, clock, sessionId } = await openParts(async (_message, context) => {
      const holds = Array.from({ length: count }, async (_, index) => {
        const timeoutMs = index % 3 === 0 ? 1000 : 60_000 + index;
        const result = await context.hold(approval(`t${index}`, { timeoutMs }), { signal });
        if (result.outcome === "answered") await result.delivered();
      });
      await Promise.all(holds);
      return { reason: "done" };
    });
    await sendMessage(core, sessionId, { content: "go" });
    await clock.settle();
    expect(core.waiters.size).toBe(count);
    expect(signal.listeners()).toBe(count);
    expect(clock.timerCount).toBe(1);
    await clock.advance(1000);
    const { items } = await core.store.listInteractions({ statuses: ["pending"], limit: count });
    for (const { interaction } of items.slice(0, 3000)) {
      await respond(core, ada, interaction.interactionId, { action: "deny" });
    }
    await clock.settle();
    expect(core.waiters.size).toBe(count - 3334 - 3000);
    core.sessions.peek(sessionId)?.turn?.requestStop("enough");
    await clock.advance(120_000);
    expect(core.waiters.size).toBe(0);
    expect(signal.listeners()).toBe(0);
    expect(clock.timerCount).toBe(0);
    expect(core.deadlines.isArmed).toBe(false);
  });

  test("one after the other leave nothing either, and the session can be forgotten", async () => {
    const signal = countListeners(new AbortController().signal);
    const { core, clock, sessionId } = await openParts(async (_message, context) => {
      for (let index = 0; index < 1000; index += 1) {
        const held = context.hold(approval(`t${index}`), { signal });
        await Promise.resolve();
        const [open] = (await core.store.listInteractions({ statuses: ["pending"], limit: 1 }))
          .items;
        await respond(core, ada, open!.interaction.interactionId, { action: "deny" });
        const result = await held;
        if (result.outcome === "answered") await result.delivered();
      }
      throw new Error("the agent ends with its turn");
    });
    await sendMessage(core, sessionId, { content: "go" });
    await clock.advance(1000);
    await core.sessions.peek(sessionId)?.driver;
    expect(core.waiters.size).toBe(0);
    expect(signal.listeners()).toBe(0);
    expect(clock.timerCount).toBe(0);
    expect(core.sessions.size).toBe(0);
  });
});

test("[R-14] followers leave nothing behind", async () => {
  const { core, clock, sessionId } = await openParts(async () => ({ reason: "done" }));
  const end = new AbortController();
  const streams = Array.from({ length: 100 }, async () => {
    const { signal } = end;
    for await (const _ of followSession(core, sessionId, { seq: 0 }, { signal }));
  });
  await clock.settle();
  expect(core.sessions.peek(sessionId)).toMatchObject({ followers: 100, users: 100 });
  end.abort();
  await Promise.all(streams);
  expect(core.sessions.size).toBe(0);
});

test("[R-14] a reader that just goes away leaves nothing behind", async () => {
  const { core, sessionId } = await openParts(async () => ({ reason: "done" }));
  for await (const _ of followSession(core, sessionId, { seq: 0 }, { signal: never })) break;
  expect(core.sessions.size).toBe(0);
});

test("[R-14] a queue that is kicked for nothing is forgotten", async () => {
  const { core, clock, sessionId } = await openParts(async () => ({ reason: "done" }));
  core.kickQueue(sessionId);
  await clock.settle();
  expect(core.sessions.size).toBe(0);
});

/** Counts who listens for an abort. */
function countListeners(signal: AbortSignal): AbortSignal & { listeners(): number } {
  let listening = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  return Object.assign(signal, {
    addEventListener: (...args: Parameters<typeof add>) => {
      listening += 1;
      add(...args);
    },
    removeEventListener: (...args: Parameters<typeof remove>) => {
      listening -= 1;
      remove(...args);
    },
    listeners: () => listening,
  });
}
