import type { Batch } from "@holdpoint/engine";

const AT = "2025-01-01T00:00:00.000Z";

/** A batch that writes a session's row and appends that many messages to its log. */
export function sampleSession(sessionId: string, messages = 0, content = "Hello"): Batch {
  return {
    sessionId,
    session: {
      sessionId,
      agent: "demo",
      cwd: "/",
      title: "",
      permissionMode: "default",
      status: "idle",
      createdAt: AT,
      updatedAt: AT,
    },
    events: Array.from({ length: messages }, (_, index) => ({
      type: "user_message",
      at: AT,
      messageId: `msg_${index}`,
      content,
      origin: "person",
    })),
  };
}
