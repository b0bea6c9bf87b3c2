import { describe, expect, test } from "vitest";

import { respond } from "../interaction/respond.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import { createSession } from "../session/sessions.ts";
import { followOverview } from "../stream/follow-overview.ts";
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
      limits: { pendingPerSession: count, openPerCreator: count, asksPerSecondPerSession: 1e9 },
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
    expect(core.deadlines.isArmed).toBe(false);
    // One timer for all expired interactions that will leave the overview.
    expect([clock.timerCount, core.leaving.isArmed]).toEqual([1, true]);
  });

  test("in sequence leave nothing either, and the session can be unloaded", async () => {
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

describe("[R-14] two hundred sessions whose agents stay", () => {
  const SESSIONS = 200;
  const TEXT = "x".repeat(16 * 1024);

  /** Sessions with one follower each, after a turn with long texts, and the memory kept of their logs. */
  async function openFollowed() {
    const growing = Promise.withResolvers<void>();
    const { core, clock } = await openParts(async ({ messageId }, context) => {
      const message = { messageId: `${messageId}-1`, channel: "text" } as const;
      for (let index = 0; index < 31; index += 1) {
        await context.emit({
          type: "assistant_message",
          messageId: `${messageId}-${index}`,
          text: TEXT,
          channel: "text",
        });
      }
      context.delta({ type: "text_delta", ...message, messageId: `${messageId}-last`, text: TEXT });
      await growing.promise;
      return { reason: "done" };
    });
    const followers = new AbortController();
    const follows: Promise<void>[] = [];
    for (let index = 0; index < SESSIONS; index += 1) {
      const { sessionId } = await createSession(core, { agent: "scripted" });
      follows.push(drain(followSession(core, ada, { sessionId, cursor: { seq: 0 } }, followers)));
      await sendMessage(core, sessionId, { content: "go" });
    }
    await clock.settle();
    const kept = (): { tails: number; partials: number } => {
      let tails = 0;
      let partials = 0;
      for (const live of core.sessions.all()) {
        const first = Array.from({ length: live.lastSeq + 1 }, (_, seq) => live.tail.after(seq));
        tails += lengthOf(first.find((events) => events !== undefined) ?? []);
        partials += lengthOf(live.partials.framesFrom(new Map()).frames);
      }
      return { tails, partials };
    };
    const leave = async (): Promise<void> => {
      followers.abort();
      await Promise.all(follows);
    };
    const endTurns = async (): Promise<void> => {
      growing.resolve();
      for (let wait = 0; wait < 20; wait += 1) await clock.settle();
    };
    return { core, kept, leave, endTurns };
  }

  test("keep no text for followers that have left, except text that still grows", async () => {
    const { core, kept, leave, endTurns } = await openFollowed();
    expect(core.sessions.size).toBe(SESSIONS);
    expect(kept().tails).toBeGreaterThan(SESSIONS * 30 * TEXT.length);
    await leave();
    expect(kept().tails).toBe(0);
    expect(kept().partials).toBeGreaterThan(SESSIONS * TEXT.length);
    await endTurns();
    expect(core.sessions.size).toBe(SESSIONS);
    expect(kept()).toEqual({ tails: 0, partials: 0 });
  });

  test("keep little for their followers once their turns have ended", async () => {
    const { core, kept, leave, endTurns } = await openFollowed();
    await endTurns();
    expect(core.sessions.size).toBe(SESSIONS);
    expect(kept().partials).toBe(0);
    expect(kept().tails).toBeGreaterThan(0);
    expect(kept().tails).toBeLessThan(SESSIONS * 17 * 1024);
    await leave();
    expect(kept().tails).toBe(0);
  });
});

function lengthOf(texts: readonly { readonly json: string }[]): number {
  return texts.reduce((sum, { json }) => sum + json.length, 0);
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

test("[R-14] followers leave nothing behind", async () => {
  const { core, clock, sessionId } = await openParts(async () => ({ reason: "done" }));
  const end = new AbortController();
  const streams = Array.from({ length: 100 }, async () => {
    const { signal } = end;
    for await (const _ of followSession(core, ada, { sessionId, cursor: { seq: 0 } }, { signal }));
  });
  await clock.settle();
  expect(core.sessions.peek(sessionId)).toMatchObject({ followers: 100, users: 100 });
  end.abort();
  await Promise.all(streams);
  expect(core.sessions.size).toBe(0);
});

test("[R-18] a follower that leaves removes its listener, even if others stay", async () => {
  const { core, clock, sessionId } = await openParts(async () => ({ reason: "done" }));
  const ends = [new AbortController(), new AbortController()];
  const streams = ends.map(({ signal }) =>
    drain(followSession(core, ada, { sessionId, cursor: { seq: 0 } }, { signal })),
  );
  await clock.settle();
  const listening = () => core.sessions.peek(sessionId)?.changes.waiting;
  expect(listening()).toBe(2);
  ends[0]?.abort();
  await streams[0];
  expect(listening()).toBe(1);
  ends[1]?.abort();
  await Promise.all(streams);
});

test("[R-14] data kept for the followers of the overview is freed with the last of them", async () => {
  const { core, clock } = await openParts(async () => ({ reason: "done" }));
  const end = new AbortController();
  const stream = drain(followOverview(core, ada, { signal: end.signal }));
  await clock.settle();
  const { version } = core.overview;
  const { sessionId } = await createSession(core, { agent: "scripted" });
  await sendMessage(core, sessionId, { content: "go" });
  await clock.settle();
  expect(core.overview.since(version)).not.toHaveLength(0);
  end.abort();
  await stream;
  expect(core.overview.since(version)).toBeUndefined();
});

test("[R-14] a reader that simply disconnects leaves nothing behind", async () => {
  const { core, sessionId } = await openParts(async () => ({ reason: "done" }));
  const opened = followSession(core, ada, { sessionId, cursor: { seq: 0 } }, { signal: never });
  for await (const _ of opened) break;
  expect(core.sessions.size).toBe(0);
});

test("[R-14] a queue that is woken for nothing is unloaded", async () => {
  const { core, clock, sessionId } = await openParts(async () => ({ reason: "done" }));
  core.kickQueue(sessionId);
  await clock.settle();
  expect(core.sessions.size).toBe(0);
});

/** Counts the listeners of an abort signal. */
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
