import { ProtocolError, type OverviewFrame } from "@holdpoint/protocol";
import { expect, onTestFinished, test, vi } from "vitest";

import { createQuestion } from "../testing/create-question.ts";
import { createSession } from "../testing/create-session.ts";
import { createLinkedGateway } from "../testing/linked-gateway.ts";
import { createSimulatedClock, settled } from "../testing/simulated-clock.ts";
import { ClientError } from "../transports/client-error.ts";
import type { Transport } from "../transports/transport.ts";
import { EMPTY_OVERVIEW } from "../view/overview.ts";
import { createOverviewStore } from "./overview-store.ts";

type Connection = readonly (readonly OverviewFrame[] | Error)[];

/** Each connection delivers its batches, followed by an error or silence. */
function setUp(...connections: Connection[]) {
  const clock = createSimulatedClock();
  let opened = 0;
  const transport = {
    ...createLinkedGateway().transport,
    async *followOverview({ signal }: { signal: AbortSignal }) {
      for (const batch of connections[opened++] ?? []) {
        if (batch instanceof Error) throw batch;
        yield batch;
      }
      await clock.sleep(Infinity, { signal });
    },
  };
  const randomness = { fraction: () => 0.5, key: () => "unused" };
  const store = createOverviewStore({ transport, clock, randomness });
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    expect(clock.sleeperCount).toBe(0);
  });
  return { clock, store, opened: () => opened };
}

/** A gateway with this many pending interactions, which answers lists and sends the test's frames. */
function openMany(count: number) {
  const rows = Array.from({ length: count }, (_, index) =>
    createQuestion({
      interactionId: `int_${index}`,
      sessionId: `ses_${index}`,
      startedAt: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    }),
  );
  const told: OverviewFrame[][] = [];
  let wake = (): void => undefined;
  const tell = (...frames: OverviewFrame[]): Promise<void> => {
    told.push(frames);
    wake();
    return settled();
  };
  const counts = () => ({ ...EMPTY_OVERVIEW.counts, pending: rows.length, sessions: count });
  const lists: { readonly cursor?: string; readonly limit?: number }[] = [];
  const listed = { before: (): Promise<void> => Promise.resolve() };
  const transport: Transport = {
    ...createLinkedGateway().transport,
    getSession: async (sessionId) => ({ ...createSession(), sessionId }),
    async listInteractions(query = {}) {
      lists.push(query);
      const start = Number(query.cursor ?? 0);
      const end = start + (query.limit ?? 50);
      const items = rows.filter(({ interactionId }) => {
        const index = Number(interactionId.slice("int_".length));
        return index >= start && index < end;
      });
      await listed.before();
      return { items, ...(end < count && { nextCursor: String(end) }) };
    },
    async *followOverview({ signal }) {
      signal.addEventListener("abort", () => wake());
      while (!signal.aborted) {
        const frames = told.shift();
        if (frames) yield frames;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
  const store = createOverviewStore({ transport });
  onTestFinished(() => store[Symbol.asyncDispose]());
  store.subscribe(() => undefined);
  const begin = (page: number) =>
    tell({
      type: "snapshot",
      epoch: "epoch",
      counts: counts(),
      sessions: { items: [] },
      late: { items: [] },
      pending: { items: rows.slice(0, page), ...(page > 0 && { nextCursor: String(page) }) },
    });
  /** Accepts an answer: the row leaves the lists, and the stream reports it. */
  const answer = (index: number) => {
    const [row] = rows.splice(
      rows.findIndex((one) => one.interactionId === `int_${index}`),
      1,
    );
    return tell(
      { type: "interaction_changed", interaction: { ...row!, status: "answered" } },
      { type: "counts_changed", counts: counts() },
    );
  };
  const ids = () => store.getSnapshot().overview.waiting.map(({ interactionId }) => interactionId);
  return { store, rows, lists, listed, begin, answer, tell, ids };
}

function snapshot(...interactionIds: string[]): OverviewFrame {
  const items = interactionIds.map((interactionId) => createQuestion({ interactionId }));
  const counts = { ...EMPTY_OVERVIEW.counts, pending: items.length };
  const others = { sessions: { items: [] }, late: { items: [] } };
  return { type: "snapshot", epoch: "epoch", counts, ...others, pending: { items } };
}

test("an overview begins with the first listener and reports a batch once", async () => {
  const { store, opened } = setUp([[], [snapshot("one"), snapshot("one", "two")]]);
  await settled();
  expect(opened()).toBe(0);
  let told = 0;
  store.subscribe(() => void (told += 1));
  await settled();
  expect(store.getSnapshot()).toMatchObject({ loaded: true, connection: "live" });
  expect(store.getSnapshot().overview.waiting).toHaveLength(2);
  expect(told).toBeLessThanOrEqual(2);
});

test("a broken overview keeps its content until the next snapshot", async () => {
  const broken = new ClientError("CONNECTION_CLOSED", "Gone.");
  const presence: OverviewFrame = { type: "presence", clients: [], answerable: false };
  const { store, clock } = setUp([[snapshot("one")], [presence], broken], [[snapshot("two")]]);
  store.subscribe(() => undefined);
  await settled();
  expect(store.getSnapshot()).toMatchObject({ loaded: true, connection: "reconnecting" });
  expect(store.getSnapshot().overview.waiting).toMatchObject([{ interactionId: "one" }]);
  await clock.advance(1000);
  expect(store.getSnapshot()).toMatchObject({ connection: "live" });
  expect(store.getSnapshot().overview.waiting).toMatchObject([{ interactionId: "two" }]);
});

test("a refused overview is an error until refresh", async () => {
  const refusal = new ProtocolError("UNAUTHENTICATED", "Who are you?");
  const { store, clock, opened } = setUp([refusal], [[snapshot()]]);
  store.subscribe(() => undefined);
  await clock.advance(3_600_000);
  expect(store.getSnapshot()).toMatchObject({ connection: "offline", error: refusal });
  expect(opened()).toBe(1);
  store.refresh();
  await settled();
  expect(store.getSnapshot()).toMatchObject({ connection: "live", loaded: true });
  expect(store.getSnapshot()).not.toHaveProperty("error");
});

test("the overview shows the total count and loads the list page by page to its end", async () => {
  const { store, begin, ids } = openMany(120);
  await begin(50);
  expect(ids()).toHaveLength(50);
  expect(store.getSnapshot().overview.counts.pending).toBe(120);
  await Promise.all([store.loadMore("pending"), store.loadMore("pending")]);
  expect(ids()).toHaveLength(100);
  await store.loadMore("pending");
  await store.loadMore("pending");
  expect(ids()).toEqual(Array.from({ length: 120 }, (_, index) => `int_${index}`));
  const { sessions } = store.getSnapshot().overview;
  expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(70);
});

test("a first page that is short because of large inputs is filled at once", async () => {
  const { begin, ids, lists } = openMany(120);
  await begin(0);
  await settled();
  expect(ids()).toHaveLength(10);
  expect(lists).toEqual([expect.objectContaining({ limit: 10 })]);
});

test("a request answered while a page is read is not shown as open", async () => {
  const { store, begin, answer, lists, listed, ids } = openMany(120);
  await begin(50);
  const reading = Promise.withResolvers<void>();
  listed.before = () => reading.promise;
  const loading = store.loadMore("pending");
  await vi.waitFor(() => expect(lists).toHaveLength(1));
  await answer(60);
  await answer(3);
  reading.resolve();
  await loading;
  expect(ids()).toHaveLength(98);
  expect(ids()).not.toContain("int_60");
  expect(ids()).not.toContain("int_3");
  expect(store.getSnapshot().overview.counts.pending).toBe(118);
});

test("a page requested before a new snapshot is not mixed into it", async () => {
  const { store, begin, answer, lists, listed, ids } = openMany(120);
  await begin(50);
  const reading = Promise.withResolvers<void>();
  listed.before = () => reading.promise;
  const loading = store.loadMore("pending");
  await vi.waitFor(() => expect(lists).toHaveLength(1));
  await answer(60);
  await begin(50);
  reading.resolve();
  await loading;
  expect(ids()).toHaveLength(50);
  expect(store.getSnapshot().overview.counts.pending).toBe(119);
});

test("as many rows are loaded after a new snapshot as before it", async () => {
  const { store, begin, ids } = openMany(200);
  await begin(50);
  await store.loadMore("pending");
  await store.loadMore("pending");
  expect(ids()).toHaveLength(150);
  await begin(50);
  expect(ids()).toHaveLength(150);
});

test("requests and answers beyond the loaded rows change the counts", async () => {
  const { store, begin, answer, ids } = openMany(120);
  await begin(50);
  await answer(110);
  expect(ids()).toHaveLength(50);
  expect(store.getSnapshot().overview.counts.pending).toBe(119);
});

test("a single session can be loaded", async () => {
  const { store, begin } = openMany(1);
  await begin(1);
  await store.loadSession("ses_far");
  expect(store.getSnapshot().overview.sessions).toMatchObject([{ sessionId: "ses_far" }]);
});
