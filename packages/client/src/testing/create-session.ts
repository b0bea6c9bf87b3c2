import type { Session } from "@holdpoint/protocol";

/** An idle session. */
export function createSession(changes: Partial<Session> = {}): Session {
  return {
    sessionId: "session",
    agent: "demo",
    cwd: "/work",
    title: "Session",
    permissionMode: "default",
    status: "idle",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    lastSeq: 0,
    ...changes,
  };
}
