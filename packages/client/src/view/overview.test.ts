import type { OverviewFrame, Session } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createQuestion } from "../testing/create-question.ts";
import { applyOverviewFrames, EMPTY_OVERVIEW, groupSessions } from "./overview.ts";
import type { Overview } from "./overview.ts";

function session(sessionId: string, changes: Partial<Session> = {}): Session {
  return {
    sessionId,
    agent: "demo",
    cwd: "/work",
    title: sessionId,
    permissionMode: "default",
    status: "idle",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    lastSeq: 0,
    ...changes,
  };
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
const snapshot: OverviewFrame = {
  type: "snapshot",
  epoch: "epoch",
  sessions: [session("a"), session("b", { updatedAt: "2026-01-03T00:00:00.000Z" })],
  interactions: [newer, older],
};

describe("overview", () => {
  test("shows the newest activity and the oldest question first", () => {
    const { sessions, waiting, epoch } = fold(snapshot);
    expect(epoch).toBe("epoch");
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["b", "a"]);
    expect(waiting).toEqual([older, newer]);
  });

  test("a snapshot replaces what was known, and keeps who is there", () => {
    const presence: OverviewFrame = { type: "presence", clients: [], answerable: true };
    const empty: OverviewFrame = {
      type: "snapshot",
      epoch: "next",
      sessions: [],
      interactions: [],
    };
    expect(fold(snapshot, presence, empty)).toEqual({
      epoch: "next",
      sessions: [],
      waiting: [],
      grantsVersion: 2,
      presence: { clients: [], answerable: true },
    });
  });

  test("what cannot be answered any more does not wait; what takes a late answer does", () => {
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

  test("a session that changes moves up, one that is deleted takes its questions along", () => {
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

  test("every change of grants, and every new connection, says to read them again", () => {
    const { grantsVersion } = fold(snapshot);
    expect(fold(snapshot, { type: "grants_changed" }).grantsVersion).not.toBe(grantsVersion);
    expect(fold(snapshot, snapshot).grantsVersion).not.toBe(grantsVersion);
    const changed: OverviewFrame = { type: "session_changed", session: session("c") };
    expect(fold(snapshot, changed).grantsVersion).toBe(grantsVersion);
  });

  test("sessions fall into groups by what they need", () => {
    const sessions = [
      session("asks", { status: "parked" }),
      session("waits", { status: "waiting" }),
      session("works", { status: "running" }),
      session("rests"),
    ];
    const interactions = [createQuestion({ sessionId: "asks" })];
    const groups = groupSessions(fold({ ...snapshot, sessions, interactions }));
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
});
