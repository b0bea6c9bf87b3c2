import type { Store } from "@holdpoint/engine";

const AT = "2025-01-01T00:00:00.000Z";

/** Appends one message with this name to a session, and prints the acknowledgement: session, seq, name. */
export async function appendNumbered(
  store: Store,
  { sessionId, name, bytes }: { sessionId: string; name: string; bytes: number },
): Promise<string> {
  const content = "x".repeat(bytes);
  const result = await store.append({
    sessionId,
    session: {
      sessionId,
      agent: "demo",
      cwd: "/",
      title: name,
      permissionMode: "default",
      status: "running",
      createdAt: AT,
      updatedAt: AT,
    },
    events: [{ at: AT, type: "user_message", messageId: name, content, origin: "person" }],
  });
  if (result.status === "conflict") throw new Error("Nobody else appends here.");
  return `${sessionId} ${result.lastSeq} ${name}`;
}
