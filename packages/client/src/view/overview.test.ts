import type { OverviewFrame, Session } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { withPage } from "../store/overview-pages.ts";
import { createQuestion } from "../testing/create-question.ts";
import { createSession } from "../testing/create-session.ts";
import {
  applyOverviewFrames,
  countUnloaded,
  EMPTY_OVERVIEW,
  groupSessions,
  type Overview,
} from "./overview.ts";

function session(sessionId: string, changes: Partial<Session> = {}): Session {
  return createSession({ sessionId, title: sessionId, ...changes });
}

function fold(...frames: OverviewFrame[]): Overview {
  return applyOverviewFrames(EMPTY_OVERVIEW, frames);
}

const older = createQuestion({ interactionId: "older", sessionId: "a" });
const newer = createQuestion({
  interactionId: "newer",
  sessionId: "b",
  startedAt: "2026-01-02T00:00:00.000Z",
});
const counts = { pending: 2, late: 0, sessions: 2, waitingSessions: 2, workingSessions: 0 };
const snapshot = {
  type: "snapshot",
  epoch: "epoch",
  counts,
  sessions: { items: [session("a"), session("b", { updatedAt: "2026-01-03T00:00:00.000Z" })] },
  pending: { items: [newer, older] },
  late: { items: [] },
} satisfies OverviewFrame;

describe("overview", () => {
  test("shows the newest activity and the oldest question first", () => {
    const { sessions, waiting, epoch } = fold(snapshot);
    expect(epoch).toBe("epoch");
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["b", "a"]);
    expect(waiting).toEqual([older, newer]);
  });

  test("is replaced by a snapshot, except for presence", () => {
    const presence: OverviewFrame = { type: "presence", clients: [], answerable: true };
    const empty: OverviewFrame = {
      type: "snapshot",
      epoch: "next",
      counts: EMPTY_OVERVIEW.counts,
      sessions: { items: [], nextCursor: "further" },
      pending: { items: [] },
      late: { items: [] },
    };
    expect(fold(snapshot, presence, empty)).toEqual({
      epoch: "next",
      counts: EMPTY_OVERVIEW.counts,
      sessions: [],
      waiting: [],
      cursors: { sessions: "further" },
      loads: 2,
      grantsVersion: 2,
      snoozesVersion: 2,
      presence: { clients: [], answerable: true },
    });
  });

  test("lists expired and orphaned interactions that accept late answers, and no other closed ones", () => {
    const statuses = ["answered", "delivered", "withdrawn", "expired", "orphaned"] as const;
    const waits = statuses.map((status) => {
      const interaction = { ...older, status };
      const { waiting } = fold(snapshot, { type: "interaction_changed", interaction });
      return waiting.some(({ interactionId }) => interactionId === "older");
    });
    expect(waits).toEqual([false, false, false, true, true]);
    const denied = { ...older, status: "expired" as const, onTimeout: "deny" as const };
    const { waiting } = fold(snapshot, { type: "interaction_changed", interaction: denied });
    expect(waiting).toEqual([newer]);
  });

  test("a changed session moves up, and a deleted one takes its questions along", () => {
    const changed = session("a", { updatedAt: "2026-01-04T00:00:00.000Z", title: "Renamed" });
    const moved = fold(snapshot, { type: "session_changed", session: changed });
    expect(moved.sessions[0]).toBe(changed);
    expect(moved.sessions).toHaveLength(2);
    const deleted = fold(snapshot, { type: "session_deleted", sessionId: "a" });
    expect(deleted.sessions.map(({ sessionId }) => sessionId)).toEqual(["b"]);
    expect(deleted.waiting).toEqual([newer]);
  });

  test("pings and frames of a later version change nothing, not even its identity", () => {
    const overview = fold(snapshot);
    const ping: OverviewFrame = { type: "ping", at: "2026-01-01T00:00:00.000Z" };
    const unknown = { type: "weather_changed" } as unknown as OverviewFrame;
    expect(applyOverviewFrames(overview, [ping, unknown])).toBe(overview);
  });

  test("every change of grants, and every new connection, asks to read them again", () => {
    const { grantsVersion } = fold(snapshot);
    expect(fold(snapshot, { type: "grants_changed" }).grantsVersion).not.toBe(grantsVersion);
    expect(fold(snapshot, snapshot).grantsVersion).not.toBe(grantsVersion);
    const { snoozesVersion } = fold(snapshot);
    expect(fold(snapshot, { type: "snoozes_changed" }).snoozesVersion).not.toBe(snoozesVersion);
    const changed: OverviewFrame = { type: "session_changed", session: session("c") };
    expect(fold(snapshot, changed).grantsVersion).toBe(grantsVersion);
  });

  test("[R-10] includes late interactions, from the snapshot and from frames", () => {
    const late = createQuestion({ interactionId: "late", sessionId: "a", status: "orphaned" });
    const loaded = fold({ ...snapshot, late: { items: [late] } });
    const told = fold(snapshot, { type: "interaction_changed", interaction: late });
    expect(loaded.waiting.map(({ interactionId }) => interactionId).toSorted()).toEqual([
      "late",
      "newer",
      "older",
    ]);
    expect(loaded.waiting).toEqual(told.waiting);
  });

  test("[R-10] keeps late interactions over a new connection", () => {
    const late = createQuestion({ interactionId: "late", sessionId: "a", status: "expired" });
    const again = fold(
      snapshot,
      { type: "interaction_changed", interaction: late },
      { ...snapshot, pending: { items: [] }, late: { items: [late] } },
    );
    expect(again.waiting).toEqual([late]);
  });

  test("groups sessions by what they need", () => {
    const groups = groupSessions([
      session("asks", { status: "parked", hasPending: true }),
      session("waits", { status: "waiting" }),
      session("works", { status: "running" }),
      session("rests"),
    ]);
    const ids = Object.entries(groups).map(([name, group]) => [
      name,
      group.map(({ sessionId }: Session) => sessionId),
    ]);
    expect(Object.fromEntries(ids)).toEqual({
      waiting: ["asks", "waits"],
      working: ["works"],
      earlier: ["rests"],
    });
  });

  test("an archived session is in no group unless it needs something, and is not counted as loaded", () => {
    const archivedAt = "2026-01-03T00:00:00.000Z";
    const groups = groupSessions([
      session("asks", { hasLate: true, archivedAt }),
      session("rests", { archivedAt }),
    ]);
    expect(groups.waiting.map(({ sessionId }) => sessionId)).toEqual(["asks"]);
    expect(groups.earlier).toEqual([]);
    const overview = fold(
      { ...snapshot, counts: { ...counts, sessions: 3 } },
      { type: "session_changed", session: session("rests", { archivedAt }) },
    );
    expect(countUnloaded(overview, "sessions")).toBe(1);
  });

  test("counts cover everything, whatever is loaded", () => {
    const many = { ...counts, pending: 10_000, sessions: 7000 };
    const overview = fold({ ...snapshot, counts: many });
    expect(countUnloaded(overview, "pending")).toBe(9998);
    expect(countUnloaded(overview, "sessions")).toBe(6998);
    expect(countUnloaded(overview, "late")).toBe(0);
    const fewer = { ...many, pending: 9999 };
    const answered = { ...older, status: "answered" as const };
    const next = applyOverviewFrames(overview, [
      { type: "interaction_changed", interaction: answered },
      { type: "counts_changed", counts: fewer },
    ]);
    expect(next.counts).toBe(fewer);
    expect(countUnloaded(next, "pending")).toBe(9998);
  });

  test("an interaction that leaves because of its age is not reported as settled, and no frame brings it back", () => {
    const late = createQuestion({ interactionId: "late", sessionId: "a", status: "expired" });
    const before = fold({ ...snapshot, late: { items: [late] } });
    const left = { type: "interaction_left", interactionId: "late" } as const;
    const after = applyOverviewFrames(before, [left]);
    expect(after.waiting).toEqual(fold(snapshot).waiting);
    expect(after.sessions).toBe(before.sessions);
    // No one is notified that it was settled.
    expect(after.loads).not.toBe(before.loads);
    expect(applyOverviewFrames(after, [left]).waiting).toEqual(after.waiting);
  });

  test("a further page is put in its place, with the cursor for the next one", () => {
    const first = fold({ ...snapshot, pending: { items: [newer], nextCursor: "second" } });
    const page = {
      list: "pending",
      interactions: [older, newer],
      sessions: [session("c")],
    } as const;
    const second = withPage(first, page);
    expect(second.waiting).toEqual([older, newer]);
    expect(second.sessions.map(({ sessionId }) => sessionId)).toEqual(["b", "a", "c"]);
    expect(second.cursors).toEqual({});
    expect(second.loads).not.toBe(first.loads);
  });
});
