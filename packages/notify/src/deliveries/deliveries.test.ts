import { createSequentialIds, SimulatedClock } from "@holdpoint/engine/testing";
import { saying } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { createMemoryNotificationStore } from "../memory-notification-store.ts";
import { type Message, toMoreMessage } from "../message.ts";
import type { NotificationStore } from "../ports/notification-store.ts";
import { Deliveries } from "./deliveries.ts";
import { REPEAT_AFTER_MS } from "./delivery-life.ts";
import type { Asked } from "./follow-pending.ts";
import type { SendResult, Target } from "./target.ts";

const MINUTE_MS = 60_000;

interface FakeTarget extends Target {
  readonly got: string[];
  readonly messageIds: string[];
  quietUntilMs: number;
  looking: boolean;
  answer: () => SendResult | Promise<SendResult>;
}

const BUSY = saying("push_later", { host: "push.example", status: 429 });

function createTarget(targetId: string, changes: Partial<Target> = {}): FakeTarget {
  const target: FakeTarget = {
    targetId,
    sinceMs: 0,
    repeats: true,
    got: [],
    messageIds: [],
    quietUntilMs: 0,
    looking: false,
    answer: () => ({ kind: "sent" }),
    wants: () => true,
    quietUntil: (nowMs) => (nowMs < target.quietUntilMs ? target.quietUntilMs : undefined),
    isLooking: () => target.looking,
    async send({ step, tag, title }, { messageId }) {
      const result = await target.answer();
      if (result.kind === "sent") target.got.push(`${step} ${tag === "more" ? title : tag}`);
      target.messageIds.push(messageId);
      return result;
    },
    ...changes,
  };
  return target;
}

interface BenchOptions {
  readonly store?: NotificationStore;
  readonly clock?: SimulatedClock;
  readonly pending?: Map<string, Asked>;
  /** The gateway's answer about it. Default: the state of these deliveries. */
  readonly isPending?: (interactionId: string) => boolean;
}

/** Deliveries of a gateway in which the test asks and answers. */
async function open(targets: Target[], options: BenchOptions = {}) {
  const { store = createMemoryNotificationStore(), clock = new SimulatedClock() } = options;
  const pending = options.pending ?? new Map<string, Asked>();
  const { isPending = (interactionId) => pending.has(interactionId) } = options;
  const errors: unknown[] = [];
  const results: string[] = [];
  const ids = createSequentialIds();
  const deliveries = new Deliveries({
    store,
    clock,
    ids,
    pending,
    toMessage: async (step, subject): Promise<Message | undefined> => {
      if (subject.interactionId === undefined) {
        const isOver = step !== "close" && subject.count === 0;
        return isOver ? undefined : toMoreMessage(step, subject.count);
      }
      const tag = subject.interactionId;
      if (step !== "close" && !isPending(tag)) return undefined;
      return { step, tag, title: tag, body: "", said: { title: [], body: [] }, path: "/" };
    },
    onResult: async (targetId, { kind }) => void results.push(`${targetId} ${kind}`),
    onError: (error) => errors.push(error),
  });
  await deliveries.open(targets);
  const ask = (interactionId: string, kind: Asked["kind"] = "approval") => {
    const startedAt = new Date(clock.now()).toISOString();
    const asked = { interactionId, sessionId: "ses_1", kind, startedAt, startedAtMs: clock.now() };
    pending.set(interactionId, asked);
    deliveries.asked(asked);
  };
  const answer = (interactionId: string) => {
    const asked = pending.get(interactionId)!;
    pending.delete(interactionId);
    deliveries.settled(asked);
  };
  return { deliveries, store, clock, pending, errors, results, ask, answer };
}

test("an interaction is announced at once, again after ten minutes, and withdrawn with its answer", async () => {
  const phone = createTarget("phone");
  const { clock, ask, answer, store, errors } = await open([phone]);
  ask("int_1");
  await clock.advance(1000);
  expect(phone.got).toEqual(["tell int_1"]);
  await clock.advance(REPEAT_AFTER_MS - MINUTE_MS);
  expect(phone.got).toHaveLength(1);
  await clock.advance(2 * MINUTE_MS);
  expect(phone.got).toEqual(["tell int_1", "repeat int_1"]);
  await clock.advance(60 * MINUTE_MS);
  answer("int_1");
  await clock.advance(0);
  expect(phone.got).toEqual(["tell int_1", "repeat int_1", "close int_1"]);
  expect(await store.listDeliveries()).toEqual([]);
  expect(errors).toEqual([]);
});

test("people who may answer only later are notified then, and people who no longer may answer are not", async () => {
  const asks: string[] = ["ada"];
  const mayAnswer = (name: string) => ({ mayAnswer: () => asks.includes(name) });
  const [ada, bob] = [createTarget("ada", mayAnswer("ada")), createTarget("bob", mayAnswer("bob"))];
  const { clock, ask, answer, deliveries, pending, store } = await open([ada, bob]);
  ask("int_1");
  await clock.advance(1000);
  expect([ada.got, bob.got]).toEqual([["tell int_1"], []]);
  asks.splice(0, 1, "bob");
  deliveries.changed(pending.get("int_1")!);
  await clock.advance(1000);
  expect([ada.got, bob.got]).toEqual([["tell int_1", "close int_1"], ["tell int_1"]]);
  answer("int_1");
  await clock.advance(1000);
  expect([ada.got.length, bob.got]).toEqual([2, ["tell int_1", "close int_1"]]);
  expect(await store.listDeliveries()).toEqual([]);
});

test("[R-20] a reminder repeats the notification, except to devices that snoozed it, and not without limit", async () => {
  const [phone, laptop] = [createTarget("phone"), createTarget("laptop")];
  const { clock, ask, answer, deliveries, pending } = await open([phone, laptop]);
  ask("int_1");
  const asked = pending.get("int_1")!;
  // It is about to be sent.
  deliveries.remind(asked);
  await clock.advance(1000);
  expect([phone.got, laptop.got]).toEqual([["tell int_1"], ["tell int_1"]]);
  deliveries.putOff("laptop", "int_1", clock.now() + 60 * MINUTE_MS);
  deliveries.remind(asked);
  await clock.advance(1000);
  deliveries.remind(asked, (targetId) => targetId === "laptop");
  await clock.advance(1000);
  expect([phone.got.length, laptop.got.length]).toEqual([2, 1]);
  for (let times = 0; times < 20; times += 1) {
    deliveries.remind(asked);
    await clock.advance(1000);
  }
  expect(phone.got).toHaveLength(10);
  answer("int_1");
  deliveries.remind(asked);
  await clock.advance(1000);
  expect(phone.got.at(-1)).toBe("close int_1");
  expect(laptop.got).toEqual(["tell int_1", "close int_1"]);
});

test("a reminder of a notification that has not arrived yet sends it, and does not repeat it", async () => {
  const webhook = createTarget("webhook", { repeats: false });
  webhook.answer = () => ({ kind: "missed", reason: BUSY });
  const { clock, ask, deliveries, pending } = await open([webhook]);
  ask("int_1");
  await clock.advance(1000);
  webhook.answer = () => ({ kind: "sent" });
  deliveries.remind(pending.get("int_1")!);
  await clock.advance(MINUTE_MS);
  expect(webhook.got).toEqual(["tell int_1"]);
});

test("a snoozed request is announced again when it is due, and not before", async () => {
  const [phone, webhook] = [createTarget("phone"), createTarget("webhook")];
  const { clock, ask, deliveries } = await open([phone, webhook]);
  ask("int_1");
  await clock.advance(1000);
  deliveries.putOff("phone", "int_1", clock.now() + 60 * MINUTE_MS);
  deliveries.putOff("phone", "int_none", clock.now() + 60 * MINUTE_MS);
  deliveries.putOff("none", "int_1", clock.now() + 60 * MINUTE_MS);
  ask("int_2");
  deliveries.putOff("phone", "int_2", clock.now() + 90 * MINUTE_MS);
  await clock.advance(59 * MINUTE_MS);
  expect(phone.got).toEqual(["tell int_1"]);
  expect(webhook.got).toContain("repeat int_1");
  await clock.advance(2 * MINUTE_MS);
  expect(phone.got).toEqual(["tell int_1", "repeat int_1"]);
  await clock.advance(30 * MINUTE_MS);
  expect(phone.got).toEqual(["tell int_1", "repeat int_1", "tell int_2"]);
});

test("a request that a grant answers at once is never announced", async () => {
  const phone = createTarget("phone");
  const { clock, ask, answer, store } = await open([phone]);
  ask("int_1");
  answer("int_1");
  await clock.advance(60 * MINUTE_MS);
  expect(phone.got).toEqual([]);
  expect(phone.messageIds).toEqual([]);
  expect(await store.listDeliveries()).toEqual([]);
});

test("each device gets the notifications it chose, and none from before its subscription", async () => {
  const clock = new SimulatedClock();
  const approvals = createTarget("approvals", { wants: (kind) => kind === "approval" });
  const off = createTarget("off", { wants: () => false });
  const later = createTarget("later", { sinceMs: clock.now() + 1000 });
  const { ask, answer } = await open([approvals, off, later], { clock });
  ask("int_1");
  ask("int_2", "question");
  await clock.advance(1000);
  ask("int_3", "form");
  await clock.advance(1000);
  expect(approvals.got).toEqual(["tell int_1"]);
  expect(off.got).toEqual([]);
  expect(later.got).toEqual(["tell int_3"]);
  for (const id of ["int_1", "int_2", "int_3"]) answer(id);
  await clock.advance(1000);
  expect(approvals.got.slice(1)).toEqual(["close int_1"]);
  expect(later.got.slice(1)).toEqual(["close int_3"]);
});

test("a device in use is notified later, if the request is still pending and no one is looking", async () => {
  const phone = createTarget("phone");
  const { clock, ask, answer } = await open([phone]);
  phone.looking = true;
  ask("int_1");
  ask("int_2");
  await clock.advance(5 * MINUTE_MS);
  answer("int_2");
  phone.looking = false;
  await clock.advance(4 * MINUTE_MS);
  expect(phone.got).toEqual([]);
  await clock.advance(2 * MINUTE_MS);
  expect(phone.got).toEqual(["repeat int_1"]);
  await clock.advance(60 * MINUTE_MS);
  expect(phone.got).toHaveLength(1);
});

test("a device gets nothing during its quiet hours, and pending requests after them", async () => {
  const phone = createTarget("phone");
  const { clock, ask, answer } = await open([phone]);
  phone.quietUntilMs = clock.now() + 60 * MINUTE_MS;
  ask("int_1");
  ask("int_2");
  await clock.advance(30 * MINUTE_MS);
  answer("int_1");
  await clock.advance(29 * MINUTE_MS);
  expect(phone.got).toEqual([]);
  await clock.advance(2 * MINUTE_MS);
  expect(phone.got).toEqual(["tell int_2"]);
});

test("an unreachable service is retried with the same message at growing intervals, then given up", async () => {
  const phone = createTarget("phone");
  const { clock, ask, answer, store } = await open([phone]);
  phone.answer = () => ({ kind: "missed", reason: BUSY });
  ask("int_1");
  await clock.advance(1000);
  expect(phone.messageIds).toHaveLength(1);
  await clock.advance(60 * MINUTE_MS);
  const tries = phone.messageIds.length;
  expect(tries).toBeGreaterThan(5);
  await clock.advance(24 * 60 * MINUTE_MS);
  expect(phone.messageIds.length).toBe(12);
  expect(new Set(phone.messageIds).size).toBe(1);
  expect(await store.listDeliveries()).toMatchObject([{ state: "failed" }]);
  phone.answer = () => ({ kind: "sent" });
  answer("int_1");
  ask("int_2");
  await clock.advance(1000);
  expect(phone.got).toEqual(["tell int_2"]);
  expect(await store.listDeliveries()).toMatchObject([{ interactionId: "int_2", state: "sent" }]);
});

test("a service can say when to try again", async () => {
  const phone = createTarget("phone");
  const { clock, ask } = await open([phone]);
  phone.answer = () => ({ kind: "missed", reason: BUSY, afterMs: 5 * MINUTE_MS });
  ask("int_1");
  await clock.advance(4 * MINUTE_MS);
  expect(phone.messageIds).toHaveLength(1);
  phone.answer = () => ({ kind: "sent" });
  await clock.advance(2 * MINUTE_MS);
  expect(phone.got).toEqual(["tell int_1"]);
});

test("an answer that comes while the message is being sent withdraws it", async () => {
  const phone = createTarget("phone");
  const { clock, ask, answer, store } = await open([phone]);
  const arrives = Promise.withResolvers<SendResult>();
  phone.answer = () => arrives.promise;
  ask("int_1");
  await clock.advance(1000);
  answer("int_1");
  await clock.advance(1000);
  phone.answer = () => ({ kind: "sent" });
  arrives.resolve({ kind: "sent" });
  await clock.advance(1000);
  expect(phone.got).toEqual(["tell int_1", "close int_1"]);
  expect(await store.listDeliveries()).toEqual([]);
});

test("a message is withdrawn if its receiver hands the request over, or votes yes, while it is being sent", async () => {
  let mayAnswer = true;
  const phone = createTarget("phone", { mayAnswer: () => mayAnswer });
  const { deliveries, clock, ask, pending } = await open([phone]);
  const arrives = Promise.withResolvers<SendResult>();
  phone.answer = () => arrives.promise;
  ask("int_1");
  await clock.advance(1000);
  mayAnswer = false;
  deliveries.changed(pending.get("int_1")!);
  phone.answer = () => ({ kind: "sent" });
  arrives.resolve({ kind: "sent" });
  await clock.advance(1000);
  expect(phone.got).toEqual(["tell int_1", "close int_1"]);
});

test("a request that comes back during the withdrawal of its message is announced again", async () => {
  let mayAnswer = true;
  const phone = createTarget("phone", { mayAnswer: () => mayAnswer });
  const { deliveries, clock, ask, pending, store } = await open([phone]);
  const change = (may: boolean): void => {
    mayAnswer = may;
    deliveries.changed(pending.get("int_1")!);
  };
  ask("int_1");
  await clock.advance(1000);
  const [closing, away] = [
    Promise.withResolvers<SendResult>(),
    Promise.withResolvers<SendResult>(),
  ];
  phone.answer = () => closing.promise;
  change(false);
  await clock.advance(1000);
  change(true);
  phone.answer = () => ({ kind: "sent" });
  closing.resolve({ kind: "sent" });
  await clock.advance(1000);
  expect(phone.got).toEqual(["tell int_1", "close int_1", "tell int_1"]);
  // If that did not arrive, the notification is still shown.
  phone.answer = () => away.promise;
  change(false);
  await clock.advance(1000);
  change(true);
  phone.answer = () => ({ kind: "sent" });
  away.resolve({ kind: "missed", reason: BUSY });
  await clock.advance(REPEAT_AFTER_MS + MINUTE_MS);
  expect(phone.got.slice(3)).toEqual(["repeat int_1"]);
  expect(await store.listDeliveries()).toHaveLength(1);
});

test("one device that hangs does not delay the others", async () => {
  const [stuck, phone] = [createTarget("stuck"), createTarget("phone")];
  stuck.answer = () => new Promise(() => undefined);
  const { clock, ask } = await open([stuck, phone]);
  ask("int_1");
  await clock.advance(1000);
  expect(phone.got).toEqual(["tell int_1"]);
});

test("[R-20] ten thousand asks at once send a device six notifications, and their answers as many more", async ({
  annotate,
}) => {
  const targets = Array.from({ length: 20 }, (_, index) => createTarget(`device ${index}`));
  const { clock, ask, answer, store } = await open(targets);
  const count = 10_000;
  for (let index = 0; index < count; index += 1) ask(`int_${index}`);
  await clock.advance(5000);
  const told = ["int_0", "int_1", "int_2", "int_3", "int_4"].map((id) => `tell ${id}`);
  for (const { got } of targets) {
    expect(got).toEqual([...told, "tell 9,995 more are waiting for you"]);
  }
  expect(await store.listDeliveries()).toHaveLength(6 * targets.length);
  let answered = 0;
  for (let index = 0; index < count; index += 1) {
    answer(`int_${index}`);
    answered += 1;
  }
  await clock.advance(5000);
  for (const { got } of targets) {
    expect(got.slice(6).toSorted()).toEqual(
      ["0 more are waiting for you", "int_0", "int_1", "int_2", "int_3", "int_4"].map(
        (what) => `close ${what}`,
      ),
    );
  }
  expect(await store.listDeliveries()).toEqual([]);
  expect(answered).toBe(count);
  await annotate(`${count} asks at once × ${targets.length} devices`, "cases");
});

test("the count of further requests is announced at most once a minute", async () => {
  const phone = createTarget("phone");
  const { clock, ask } = await open([phone]);
  for (let index = 0; index < 200; index += 1) {
    ask(`int_${index}`);
    await clock.advance(1000);
  }
  const more = phone.got.filter((message) => message.includes("more"));
  expect(more.length).toBeGreaterThan(2);
  expect(more.length).toBeLessThan(6);
  await clock.advance(2 * MINUTE_MS);
  expect(phone.got.at(-1)).toBe("tell 195 more are waiting for you");
});

test("a device whose notifications are switched off has its count of further requests withdrawn", async () => {
  const phone = createTarget("phone");
  const { clock, ask, deliveries } = await open([phone]);
  for (let index = 0; index < 8; index += 1) ask(`int_${index}`);
  await clock.advance(5000);
  expect(phone.got.at(-1)).toBe("tell 3 more are waiting for you");
  deliveries.setTarget(Object.assign(phone, { wants: () => false }));
  await clock.advance(1000);
  expect(phone.got.at(-1)).toBe("close 0 more are waiting for you");
});

test("withdrawals are sent before new messages", async () => {
  const phone = createTarget("phone");
  const { clock, ask, answer } = await open([phone]);
  ask("int_1");
  await clock.advance(1000);
  const arrives = Promise.withResolvers<SendResult>();
  phone.answer = () => arrives.promise;
  for (let index = 2; index < 6; index += 1) ask(`int_${index}`);
  await clock.advance(1000);
  answer("int_1");
  phone.answer = () => ({ kind: "sent" });
  arrives.resolve({ kind: "sent" });
  await clock.advance(1000);
  expect(phone.got.slice(1, 3)).toEqual(["tell int_2", "close int_1"]);
});

test.each([
  [400, 100],
  [3000, 500],
  [100, 30_000],
])(
  "[R-20] an agent that asks and withdraws every %i ms makes a phone ring only a few times a minute",
  async (pendingMs, pauseMs) => {
    const phone = createTarget("phone");
    const { clock, ask, answer, store } = await open([phone]);
    const minutes = 20;
    const startedAtMs = clock.now();
    let asks = 0;
    for (; clock.now() < startedAtMs + minutes * MINUTE_MS; asks += 1) {
      ask(`int_${asks}`);
      await clock.advance(pendingMs);
      answer(`int_${asks}`);
      await clock.advance(pauseMs);
    }
    const rings = phone.got.filter((message) => !message.startsWith("close"));
    expect(rings.length).toBeLessThanOrEqual((minutes + 1) * 11);
    await clock.advance(2 * MINUTE_MS);
    expect(await store.listDeliveries()).toEqual([]);
    ask("int_last");
    await clock.advance(1000);
    expect(phone.got.at(-1)).toBe("tell int_last");
  },
);

test("closed rows are deleted after a day while the gateway runs", async () => {
  const store = createMemoryNotificationStore();
  const phone = createTarget("phone");
  const forgotten: number[] = [];
  const { clock, ask, answer } = await open([phone], {
    store: {
      ...store,
      async forgetClosed(beforeMs) {
        forgotten.push(beforeMs);
        await store.forgetClosed(beforeMs);
      },
    },
  });
  const startedAtMs = clock.now();
  for (let hour = 0; hour < 72; hour += 1) {
    ask(`int_${hour}`);
    await clock.advance(MINUTE_MS);
    answer(`int_${hour}`);
    await clock.advance(59 * MINUTE_MS);
  }
  expect(forgotten.length).toBeGreaterThan(3);
  expect(forgotten.length).toBeLessThan(80);
  expect(forgotten.at(-1)).toBeGreaterThan(startedAtMs + 46 * 60 * MINUTE_MS);
});

test("the next gateway continues: nothing is lost, and only messages with the same tag come twice", async () => {
  const clock = new SimulatedClock();
  const store = createMemoryNotificationStore();
  const pending = new Map<string, Asked>();
  const phone = createTarget("phone");
  // The first gateway dies between writing that it tries and hearing of the success, and before it tells the second one.
  const first = await open([phone], { clock, store, pending });
  phone.answer = () => new Promise(() => undefined);
  first.ask("int_1");
  first.ask("int_2");
  await clock.advance(1000);
  expect(await store.listDeliveries()).toMatchObject([
    { interactionId: "int_1", state: "queued", mayBeShown: true, tries: 1 },
    { interactionId: "int_2", state: "queued", mayBeShown: false, tries: 0 },
  ]);
  void first.deliveries[Symbol.asyncDispose]();

  // A third one comes while no gateway runs, and the first one is answered there.
  const again = createTarget("phone");
  const startedAt = new Date(clock.now()).toISOString();
  const startedAtMs = clock.now();
  const asked = { sessionId: "ses_1", kind: "approval", startedAt, startedAtMs } as const;
  const now = new Map(["int_2", "int_3"].map((id) => [id, { ...asked, interactionId: id }]));
  const second = await open([again], { clock, store, pending: now });
  for (const each of now.values()) second.deliveries.asked(each);
  second.deliveries.reconcile();
  await clock.advance(1000);
  expect(again.got.toSorted()).toEqual(["close int_1", "tell int_2", "tell int_3"]);
  await second.deliveries[Symbol.asyncDispose]();

  const third = createTarget("phone");
  const last = await open([third], { clock, store, pending: now });
  for (const each of now.values()) last.deliveries.asked(each);
  last.deliveries.reconcile();
  await clock.advance(1000);
  expect(third.got).toEqual([]);
});

test("[R-15] a target limited between two gateways gets nothing else from the next one while it loads", async () => {
  const [clock, store] = [new SimulatedClock(), createMemoryNotificationStore()];
  const before = createTarget("webhook");
  before.answer = () => ({ kind: "missed", reason: BUSY });
  const first = await open([before], { clock, store });
  for (const id of ["int_ops", "int_finance"]) first.ask(id);
  await clock.advance(1000);
  await first.deliveries[Symbol.asyncDispose]();
  await clock.advance(60 * MINUTE_MS);
  const webhook = createTarget("webhook", {
    mayAnswer: ({ interactionId }) => interactionId === "int_ops",
  });
  const next = await open([webhook], { clock, store, isPending: () => true });
  next.ask("int_ops");
  await clock.advance(1000);
  expect(webhook.got).toEqual(["tell int_ops"]);
  next.ask("int_finance");
  next.deliveries.reconcile();
  await clock.advance(60 * MINUTE_MS);
  // Earlier notifications are withdrawn by a message that names only the interaction.
  expect(webhook.got).toEqual(["tell int_ops", "close int_finance", "repeat int_ops"]);
});

test("the deliveries to a removed target are removed with it", async () => {
  const store = createMemoryNotificationStore();
  const first = await open([createTarget("webhook a"), createTarget("webhook b")], { store });
  first.ask("int_1");
  await first.clock.advance(1000);
  await first.deliveries[Symbol.asyncDispose]();
  await open([createTarget("webhook b")], { store });
  expect((await store.listDeliveries()).map(({ targetId }) => targetId)).toEqual(["webhook b"]);
});

test("a failing store keeps the message queued and is reported", async () => {
  const store = createMemoryNotificationStore();
  let fails = true;
  const phone = createTarget("phone");
  const { clock, ask, errors } = await open([phone], {
    store: {
      ...store,
      putDeliveries: async (rows) => {
        if (fails) throw new Error("The disk is full.");
        return store.putDeliveries(rows);
      },
    },
  });
  ask("int_1");
  await clock.advance(1000);
  expect(phone.got).toEqual([]);
  expect(errors.length).toBeGreaterThan(0);
  fails = false;
  await clock.advance(MINUTE_MS);
  expect(phone.got).toEqual(["tell int_1"]);
});
