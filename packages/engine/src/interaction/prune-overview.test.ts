import type { Interaction, OverviewFrame } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import {
  ada,
  askOnce,
  type GatewayFixture,
  openFixture,
  question,
  Reader,
} from "../testing/gateway-fixture.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OVER_MS = 600_000;
const ANSWER = { action: "submit" as const, answers: [{ questionId: "q1", selected: ["b"] }] };

const NONE = { pending: 0, late: 0, sessions: 1, waitingSessions: 0, workingSessions: 0 };
const ONE_LATE = { ...NONE, late: 1, waitingSessions: 1 };

/** A gateway in which one question has just expired. */
async function openExpired(options: Parameters<typeof openFixture>[1] = {}) {
  const fixture = await openFixture(askOnce(question), options);
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  await fixture.clock.advance(OVER_MS);
  return { fixture, sessionId };
}

/** The first frame of a client that follows from now on. */
async function overviewOf({ gateway, clock }: GatewayFixture) {
  await using reader = Reader.overview(gateway);
  await clock.settle();
  const [first] = reader.frames;
  if (first?.type !== "snapshot") throw new Error("An overview begins with a snapshot.");
  const [session] = first.sessions.items;
  return {
    counts: first.counts,
    late: first.late.items.map(({ interactionId }) => interactionId),
    hasLate: session?.hasLate === true,
  };
}

/** The statuses of all interactions that are listed, of one session or in the inbox of all. */
async function listed({ gateway }: GatewayFixture, sessionId?: string): Promise<string[]> {
  const { items } = await gateway.listInteractions(ada, {
    status: ["pending", "expired", "orphaned"],
    limit: 1000,
    ...(sessionId !== undefined && { sessionId }),
  });
  return items.map(({ status }) => status);
}

describe("[R-5] an expired request leaves the overview after seven days", () => {
  test("is listed before that, and stays in its session, where a late answer reaches the agent", async () => {
    const { fixture, sessionId } = await openExpired();
    await using _ = fixture;
    await fixture.clock.advance(7 * DAY_MS - 1);
    expect(await overviewOf(fixture)).toEqual({ counts: ONE_LATE, late: ["int_1"], hasLate: true });
    expect(await listed(fixture)).toEqual(["expired"]);
    await fixture.clock.advance(1);
    await fixture.clock.settle();
    expect(await overviewOf(fixture)).toEqual({ counts: NONE, late: [], hasLate: false });
    expect(await listed(fixture)).toEqual([]);
    expect(await listed(fixture, sessionId)).toEqual(["expired"]);
    expect(await fixture.gateway.getInteraction(ada, "int_1")).toMatchObject({ status: "expired" });
    const before = fixture.adapter.messages.length;
    expect(await fixture.gateway.respond(ada, "int_1", ANSWER)).toMatchObject({
      status: "accepted",
    });
    await fixture.clock.advance(1000);
    expect(fixture.adapter.messages).toHaveLength(before + 1);
    // Nothing was counted twice.
    const { counts } = await overviewOf(fixture);
    expect(counts).toMatchObject({ late: 0, waitingSessions: counts.pending });
    expect(fixture.errors).toEqual([]);
  });

  test("two followers are notified once each, and have the same counts as a new one", async () => {
    const { fixture } = await openExpired();
    await using _ = fixture;
    await using one = Reader.overview(fixture.gateway);
    await using other = Reader.overview(fixture.gateway);
    await fixture.clock.advance(7 * DAY_MS);
    await fixture.clock.settle();
    const { counts } = await overviewOf(fixture);
    for (const { frames } of [one, other]) {
      const left = frames.filter((frame) => frame.type === "interaction_left");
      expect(left).toEqual([{ type: "interaction_left", interactionId: "int_1" }]);
      expect(newestCounts(frames)).toEqual(counts);
      const sessions = frames.filter((frame) => frame.type === "session_changed");
      expect(sessions.at(-1)?.session.hasLate).toBeUndefined();
    }
    expect(counts).toEqual(NONE);
  });

  test("it can be dismissed after that, which changes no count", async () => {
    const { fixture } = await openExpired();
    await using _ = fixture;
    await fixture.clock.advance(7 * DAY_MS);
    await fixture.clock.settle();
    const dismissed = await fixture.gateway.dismissInteraction(ada, "int_1");
    expect(dismissed.status).toBe("withdrawn");
    expect(await overviewOf(fixture)).toEqual({ counts: NONE, late: [], hasLate: false });
  });

  test("after as many days as configured", async () => {
    const { fixture } = await openExpired({ overview: { expiredDays: 0.5 } });
    await using _ = fixture;
    await fixture.clock.advance(12 * HOUR_MS - 1);
    expect((await overviewOf(fixture)).counts).toEqual(ONE_LATE);
    await fixture.clock.advance(1);
    await fixture.clock.settle();
    expect((await overviewOf(fixture)).counts).toEqual(NONE);
  });

  test("by the wall clock: time counts while the gateway is away, and a jump is noticed within ten seconds", async () => {
    const { fixture, sessionId } = await openExpired();
    const { store, clock, ids } = fixture;
    await fixture.clock.advance(DAY_MS);
    await fixture.gateway.close();
    clock.jumpWall(5 * DAY_MS);
    const next = await openFixture(askOnce(question), { store, clock, ids });
    await using _ = next;
    expect((await overviewOf(next)).counts).toEqual(ONE_LATE);
    // Elapsed time does not matter.
    clock.jumpWall(-DAY_MS);
    await clock.advance(DAY_MS);
    expect((await overviewOf(next)).counts).toEqual(ONE_LATE);
    clock.jumpWall(DAY_MS);
    await clock.advance(10_000);
    expect((await overviewOf(next)).counts).toEqual(NONE);
    expect(await listed(next, sessionId)).toEqual(["expired"]);
  });

  test("also if its time came while the gateway was away, and it does not come back", async () => {
    const { fixture, sessionId } = await openExpired();
    const { store, clock, ids } = fixture;
    await fixture.gateway.close();
    clock.jumpWall(8 * DAY_MS);
    for (let start = 0; start < 2; start += 1) {
      await using next = await openFixture(askOnce(question), { store, clock, ids });
      await clock.advance(1000);
      expect((await overviewOf(next)).counts).toEqual(NONE);
      expect(await listed(next, sessionId)).toEqual(["expired"]);
      clock.jumpWall(-8 * DAY_MS);
    }
  });

  test("also if the store wrongly reported the write as failed", async () => {
    const faults: StoreFaults = {};
    const { fixture } = await openExpired({ store: wrapStore(createMemoryStore(), faults) });
    await using _ = fixture;
    await using reader = Reader.overview(fixture.gateway);
    let lies = 0;
    faults.afterAppend = ({ interactions = [] }) => {
      if (!interactions.some(({ leavesOverview }) => leavesOverview) || lies > 0) return;
      lies += 1;
      throw new Error("The connection is lost.");
    };
    await fixture.clock.advance(7 * DAY_MS + 10_000);
    expect(lies).toBe(1);
    expect((await overviewOf(fixture)).counts).toEqual(NONE);
    expect(newestCounts(reader.frames)).toEqual(NONE);
  });

  test("an answer in the same moment wins, and is counted once", async () => {
    const faults: StoreFaults = {};
    const { fixture } = await openExpired({ store: wrapStore(createMemoryStore(), faults) });
    await using _ = fixture;
    let answered: Promise<unknown> | undefined;
    faults.beforeAppend = async ({ interactions = [] }) => {
      if (answered || !interactions.some(({ leavesOverview }) => leavesOverview)) return;
      answered = fixture.gateway.respond(ada, "int_1", ANSWER);
      await answered;
    };
    await fixture.clock.advance(7 * DAY_MS + 10_000);
    expect(await answered).toMatchObject({ status: "accepted" });
    const { counts } = await overviewOf(fixture);
    expect(counts.late).toBe(0);
    expect(fixture.errors).toEqual([]);
  });
});

test("[R-5] an orphaned request leaves the overview after thirty days", async () => {
  const { fixture, sessionId } = await openOrphaned();
  await using _ = fixture;
  expect(await listed(fixture)).toEqual(["orphaned"]);
  await fixture.clock.advance(29 * DAY_MS);
  expect((await overviewOf(fixture)).counts).toEqual(ONE_LATE);
  await fixture.clock.advance(DAY_MS);
  await fixture.clock.settle();
  expect((await overviewOf(fixture)).counts).toEqual(NONE);
  expect(await listed(fixture)).toEqual([]);
  expect(await listed(fixture, sessionId)).toEqual(["orphaned"]);
});

/** A gateway started after one that ended during a request. */
async function openOrphaned() {
  const clock = new SimulatedClock();
  const store = createMemoryStore();
  const first = await openFixture(askOnce(question), { store, clock });
  const sessionId = await first.createSession();
  await first.send(sessionId, "go");
  const [pending] = await first.interactions("pending");
  await first.gateway.close();
  const row = (await store.getInteraction(pending!.interactionId))!;
  expect(row.interaction.status).toBe("pending");
  const fixture = await openFixture(askOnce(question), { store, clock, ids: first.ids });
  return { fixture, sessionId };
}

test("[R-20] ten thousand leave at once: followers have none, and all are in their sessions", async ({
  annotate,
}) => {
  const planned = 10_000;
  const { fixture, sessionId } = await openExpired();
  const { store, clock, ids } = fixture;
  const { interaction } = (await store.getInteraction("int_1"))!;
  await fixture.gateway.close();
  const PER_SESSION = 100;
  const session = (await store.getSession(sessionId))!;
  for (let start = 0; start < planned; start += PER_SESSION) {
    const own = `ses_of_${start}`;
    const rows = Array.from({ length: PER_SESSION }, (_, index): Interaction => {
      return { ...interaction, sessionId: own, interactionId: `int_of_${start + index}` };
    });
    await store.append({
      sessionId: own,
      session: { ...session, sessionId: own },
      interactions: rows.map((row) => ({ row: { interaction: row }, expectedStatus: undefined })),
    });
  }
  await using next = await openFixture(askOnce(question), { store, clock, ids });
  await using one = Reader.overview(next.gateway);
  await using other = Reader.overview(next.gateway);
  await clock.settle();
  expect((await overviewOf(next)).counts.late).toBe(planned + 1);
  await clock.advance(7 * DAY_MS);
  for (let turn = 0; turn < 200 && (await overviewOf(next)).counts.late > 0; turn += 1) {
    await clock.advance(1000);
  }
  const { counts, late } = await overviewOf(next);
  expect([counts.late, counts.waitingSessions, late]).toEqual([0, 0, []]);
  for (const { frames } of [one, other]) expect(newestCounts(frames)).toEqual(counts);
  let tried = 0;
  for (let start = 0; start < planned; start += PER_SESSION) {
    tried += (await listed(next, `ses_of_${start}`)).length;
  }
  expect(tried).toBe(planned);
  await annotate(`${planned} expired interactions that leave at once`, "cases");
});

function newestCounts(frames: readonly OverviewFrame[]) {
  return frames.flatMap((frame) => ("counts" in frame ? [frame.counts] : [])).at(-1);
}
