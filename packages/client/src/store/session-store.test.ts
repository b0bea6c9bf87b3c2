import { createSeededRandom } from "@holdpoint/engine/testing";
import { type SessionEvent, ProtocolError } from "@holdpoint/protocol";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { createQuestion } from "../testing/create-question.ts";
import { createLinkedGateway, type LinkedGateway } from "../testing/linked-gateway.ts";
import { simulateLog } from "../testing/simulate-log.ts";
import { createSimulatedClock, settled, type SimulatedClock } from "../testing/simulated-clock.ts";
import { ClientError } from "../transports/client-error.ts";
import { applyFrames, createSessionState } from "../view/session-state.ts";
import { createSessionStore, type SessionStore } from "./session-store.ts";

interface Setup {
  readonly gateway: LinkedGateway;
  readonly clock: SimulatedClock;
  readonly store: SessionStore;
  /** How often listeners were called. */
  readonly counts: { told: number };
}

function setUp({
  log = [] as readonly SessionEvent[],
  pageSize = 5,
  seed = 1,
  isWatched = (): boolean => false,
} = {}): Setup {
  const gateway = createLinkedGateway();
  gateway.log.push(...log);
  const clock = createSimulatedClock();
  const fraction = createSeededRandom(seed);
  const randomness = { fraction, key: () => "unused" };
  const { transport } = gateway;
  const store = createSessionStore({
    transport,
    sessionId: "session",
    clock,
    randomness,
    pageSize,
    isWatched,
  });
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    await settled();
    expect(clock.sleeperCount).toBe(0);
    expect(gateway.streamCount).toBe(0);
  });
  return { gateway, clock, store, counts: { told: 0 } };
}

async function open(setup: Setup): Promise<void> {
  setup.store.subscribe(() => void (setup.counts.told += 1));
  await settled();
}

function lines(count: number, firstSeq = 1, word = "line"): SessionEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    seq: firstSeq + index,
    at: "2026-01-01T00:00:00.000Z",
    type: "assistant_message",
    messageId: `message-${firstSeq + index}`,
    text: `${word} ${firstSeq + index}`,
    channel: "text",
  }));
}

function lastSeq({ store }: Setup): number {
  return store.getSnapshot().view.lastSeq;
}

describe("opening", () => {
  test("does nothing before the first listener", async () => {
    const { gateway, store } = setUp({ log: lines(3) });
    await settled();
    expect(gateway.openedCount).toBe(0);
    expect(store.getSnapshot()).toMatchObject({ loaded: false, connection: "connecting" });
  });

  test("loads the newest page and the open requests, then is live", async () => {
    const setup = setUp({ log: lines(12) });
    setup.gateway.rows = [createQuestion({ interactionId: "old" })];
    await open(setup);
    const { view, connection, loaded } = setup.store.getSnapshot();
    expect({ connection, loaded }).toEqual({ connection: "live", loaded: true });
    expect(view).toMatchObject({ firstSeq: 8, lastSeq: 12, hasEarlier: true, title: "Session" });
    expect([...view.interactions.keys()]).toEqual(["old"]);
  });

  test("is live for an empty session as well", async () => {
    const setup = setUp();
    await open(setup);
    expect(setup.store.getSnapshot()).toMatchObject({ loaded: true, connection: "live" });
    expect(setup.store.getSnapshot().view.hasEarlier).toBe(false);
  });

  test("loads earlier pages until the first event, one at a time", async () => {
    const setup = setUp({ log: lines(12) });
    await open(setup);
    const reading = vi.spyOn(setup.gateway.transport, "readEvents");
    await Promise.all([setup.store.loadEarlier(), setup.store.loadEarlier()]);
    expect(setup.store.getSnapshot().view.firstSeq).toBe(3);
    expect(reading).toHaveBeenCalledTimes(1);
    await setup.store.loadEarlier();
    await setup.store.loadEarlier();
    expect(setup.store.getSnapshot().view).toMatchObject({ firstSeq: 1, hasEarlier: false });
    expect(setup.store.getSnapshot().view.items).toHaveLength(12);
  });
});

describe("following", () => {
  test("reports many frames of one batch once", async () => {
    const setup = setUp();
    await open(setup);
    setup.counts.told = 0;
    setup.gateway.append(...lines(50));
    await settled();
    expect(setup.counts.told).toBe(1);
    expect(lastSeq(setup)).toBe(50);
  });

  test("does not report frames that change nothing", async () => {
    const setup = setUp({ log: lines(2) });
    await open(setup);
    const before = setup.store.getSnapshot();
    setup.counts.told = 0;
    setup.gateway.show({ type: "ping", at: "2026-01-01T00:00:00.000Z" });
    await settled();
    expect(setup.counts.told).toBe(0);
    expect(setup.store.getSnapshot()).toBe(before);
  });

  test("reports nothing to a listener that has left", async () => {
    const setup = setUp();
    await open(setup);
    const leave = setup.store.subscribe(() => expect.unreachable());
    leave();
    setup.gateway.append(...lines(1));
    await settled();
    expect(lastSeq(setup)).toBe(1);
  });
});

describe("a broken connection", () => {
  test("[R-7] is resumed by cursor, complete and without a reload", async () => {
    const setup = setUp({ log: lines(3) });
    await open(setup);
    const first = setup.store.getSnapshot().view.items[0];
    setup.gateway.disconnect();
    await settled();
    expect(setup.store.getSnapshot().connection).toBe("reconnecting");
    setup.gateway.append(...lines(1000, 4));
    await setup.clock.advance(1000);
    expect(setup.store.getSnapshot()).toMatchObject({ connection: "live" });
    expect(lastSeq(setup)).toBe(1003);
    expect(setup.store.getSnapshot().view.items[0]).toBe(first);
  });

  test("is offline after some failures, waits longer each time, and recovers without help", async () => {
    const setup = setUp({ log: lines(1) });
    await open(setup);
    setup.gateway.failure = new ClientError("CONNECTION_CLOSED", "Gone.");
    setup.gateway.disconnect();
    await setup.clock.advance(60_000);
    expect(setup.store.getSnapshot().connection).toBe("offline");
    expect(setup.store.getSnapshot().error).toBeUndefined();
    setup.gateway.failure = undefined;
    setup.gateway.append(...lines(1, 2));
    await setup.clock.advance(15_000);
    expect(setup.store.getSnapshot().connection).toBe("live");
    expect(lastSeq(setup)).toBe(2);
    setup.gateway.disconnect();
    await setup.clock.advance(250);
    expect(setup.store.getSnapshot().connection).toBe("live");
  });

  test("is live within a second of its gateway's return while a person looks, after any downtime", async () => {
    const setup = setUp({ log: lines(1), isWatched: () => true });
    await open(setup);
    setup.gateway.failure = new ClientError("CONNECTION_CLOSED", "Gone.");
    setup.gateway.disconnect();
    await setup.clock.advance(3_600_000);
    expect(setup.store.getSnapshot().connection).toBe("offline");
    setup.gateway.failure = undefined;
    await setup.clock.advance(1000);
    expect(setup.store.getSnapshot().connection).toBe("live");
  });

  test("is retried at once by refresh", async () => {
    const setup = setUp({ log: lines(1) });
    await open(setup);
    setup.gateway.disconnect();
    await settled();
    setup.store.refresh();
    await settled();
    expect(setup.store.getSnapshot().connection).toBe("live");
  });

  test("is replaced by refresh if it only seems open, without showing it", async () => {
    const setup = setUp({ log: lines(1) });
    await open(setup);
    setup.store.refresh();
    await settled();
    expect(setup.gateway).toMatchObject({ openedCount: 2, streamCount: 1 });
    expect(setup.store.getSnapshot().connection).toBe("live");
  });

  test("is retried after the time that the gateway asks for", async () => {
    const setup = setUp({ log: lines(1) });
    setup.gateway.failure = new ProtocolError("RATE_LIMITED", "Slow down.", { retryAfterMs: 9000 });
    await open(setup);
    setup.gateway.failure = undefined;
    await setup.clock.advance(8999);
    expect(setup.gateway.openedCount).toBe(0);
    await setup.clock.advance(1);
    expect(setup.gateway.openedCount).toBe(1);
  });
});

describe("the gateway's reason for the end", () => {
  test("a draining gateway is tried again", async () => {
    const setup = setUp({ log: lines(1) });
    await open(setup);
    setup.gateway.show({ type: "closing", reason: "draining" });
    await settled();
    expect(setup.store.getSnapshot().connection).toBe("reconnecting");
    await setup.clock.advance(1000);
    expect(setup.store.getSnapshot().connection).toBe("live");
  });

  test("a deleted session is an error and is not tried again", async () => {
    const setup = setUp({ log: lines(1) });
    await open(setup);
    setup.gateway.show({ type: "closing", reason: "session_deleted" });
    await setup.clock.advance(3_600_000);
    expect(setup.store.getSnapshot()).toMatchObject({
      connection: "offline",
      error: { code: "NOT_FOUND" },
    });
    expect(setup.gateway.openedCount).toBe(1);
  });

  test("a revoked credential is tried once more, and is given up only when refused", async () => {
    const setup = setUp({ log: lines(1) });
    await open(setup);
    setup.gateway.show({ type: "closing", reason: "revoked" });
    await setup.clock.advance(1000);
    expect(setup.gateway.openedCount).toBe(2);
    setup.gateway.failure = new ProtocolError("UNAUTHENTICATED", "Who are you?");
    setup.gateway.show({ type: "closing", reason: "revoked" });
    await setup.clock.advance(3_600_000);
    const error = { code: "UNAUTHENTICATED" };
    expect(setup.store.getSnapshot()).toMatchObject({ connection: "offline", error });
  });

  test("a refused credential is an error until refresh", async () => {
    const setup = setUp({ log: lines(1) });
    setup.gateway.failure = new ProtocolError("UNAUTHENTICATED", "Who are you?");
    await open(setup);
    await setup.clock.advance(3_600_000);
    expect(setup.store.getSnapshot()).toMatchObject({ error: { code: "UNAUTHENTICATED" } });
    setup.gateway.failure = undefined;
    setup.store.refresh();
    await settled();
    expect(setup.store.getSnapshot()).toMatchObject({ connection: "live", loaded: true });
    expect(setup.store.getSnapshot()).not.toHaveProperty("error");
  });
});

describe("another history", () => {
  test("[R-7] replaces the view, even if it is shorter", async () => {
    const setup = setUp({ log: lines(12) });
    await open(setup);
    setup.gateway.restore("epoch-2", lines(7, 1, "restored"));
    await setup.clock.advance(1000);
    const { view } = setup.store.getSnapshot();
    expect(view).toMatchObject({ epoch: "epoch-2", firstSeq: 3, lastSeq: 7, hasEarlier: true });
    expect(view.items[0]).toMatchObject({ text: "restored 3" });
  });

  test("[R-7] a hole in the stream is repaired from its beginning", async () => {
    const setup = setUp({ log: lines(3) });
    await open(setup);
    const first = setup.store.getSnapshot().view.items[0];
    setup.gateway.log.push(...lines(1, 4));
    setup.gateway.append(...lines(1, 5));
    await setup.clock.advance(1000);
    expect(lastSeq(setup)).toBe(5);
    expect(setup.store.getSnapshot().view.items.at(-2)).toMatchObject({ text: "line 4" });
    expect(setup.store.getSnapshot().view.items[0]).toBe(first);
  });

  test("a page requested before it is not mixed in", async () => {
    const setup = setUp({ log: lines(12) });
    await open(setup);
    const page = await setup.gateway.transport.readEvents("session", { before: 8, limit: 5 });
    const late = Promise.withResolvers<typeof page>();
    vi.spyOn(setup.gateway.transport, "readEvents").mockReturnValueOnce(late.promise);
    const loading = setup.store.loadEarlier();
    setup.gateway.restore("epoch-2", lines(12, 1, "restored"));
    await setup.clock.advance(1000);
    late.resolve(page);
    await loading;
    const { items } = setup.store.getSnapshot().view;
    expect(items.every((item) => "text" in item && item.text.startsWith("restored"))).toBe(true);
  });
});

test("a bug in a transport is not retried: the store is offline and its owner is notified", async () => {
  const bug = new TypeError("A bug.");
  const { transport } = createLinkedGateway();
  const broken = { ...transport, getSession: () => Promise.reject(bug) };
  const clock = createSimulatedClock();
  const store = createSessionStore({ transport: broken, sessionId: "session", clock });
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", onUnhandled);
  onTestFinished(() => void process.off("unhandledRejection", onUnhandled));
  store.subscribe(() => undefined);
  await clock.advance(60_000);
  expect(store.getSnapshot().connection).toBe("offline");
  expect(unhandled).toEqual([bug]);
  await expect(store[Symbol.asyncDispose]()).rejects.toBe(bug);
});

test("a page that does not join the view is not shown, and everything is loaded again", async () => {
  const setup = setUp({ log: lines(12) });
  await open(setup);
  const torn = { items: lines(2, 1, "torn"), epoch: "epoch-1" };
  vi.spyOn(setup.gateway.transport, "readEvents").mockResolvedValueOnce(torn);
  await setup.store.loadEarlier();
  await settled();
  expect(setup.store.getSnapshot().view).toMatchObject({ firstSeq: 8, lastSeq: 12 });
  await setup.store.loadEarlier();
  expect(setup.store.getSnapshot().view.firstSeq).toBe(3);
});

test("a disposed store stops at once, even while it waits", async () => {
  const setup = setUp();
  setup.gateway.failure = new ClientError("CONNECTION_CLOSED", "Gone.");
  await open(setup);
  await setup.store[Symbol.asyncDispose]();
  await setup.clock.advance(60_000);
  expect(setup.gateway.openedCount).toBe(0);
});

test.each(Array.from({ length: 60 }, (_, seed) => seed))(
  "[R-10] after any schedule of disconnects the view equals the full replay (seed %i)",
  async (seed) => {
    const random = createSeededRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const steps = simulateLog(Array.from({ length: 80 + below(80) }, () => below(14 * 24)));
    const known = below(steps.length);
    const log = steps.slice(0, known).map(({ event }) => event);
    const setup = setUp({ log, pageSize: 1 + below(20), seed });
    await open(setup);
    for (const { event, deltas } of steps.slice(known)) {
      if (random() < 0.7) setup.gateway.show(...deltas);
      if (random() < 0.15) setup.gateway.disconnect();
      setup.gateway.append(event);
      if (random() < 0.1) setup.gateway.disconnect();
      if (random() < 0.1) setup.store.refresh();
      if (random() < 0.1) void setup.store.loadEarlier();
      if (random() < 0.5) await settled();
      if (random() < 0.2) await setup.clock.advance(below(2000));
    }
    await setup.clock.advance(60_000);
    while (setup.store.getSnapshot().view.hasEarlier) await setup.store.loadEarlier();
    const { view, connection } = setup.store.getSnapshot();
    const events = steps.map(({ event }) => event);
    const whole = applyFrames(createSessionState(), events).state.view;
    expect(connection).toBe("live");
    expect(view.items).toEqual(whole.items);
    expect(view.interactions).toEqual(whole.interactions);
    expect(view).toMatchObject({ status: whole.status, firstSeq: 1, lastSeq: steps.length });
  },
);
