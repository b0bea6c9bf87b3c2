import type { Batch, Store } from "@holdpoint/engine";

const AT = "2025-01-01T00:00:00.000Z";

/** A batch of two messages and the session's title, all with this name. */
export function numberedBatch(
  sessionId: string,
  name: string,
): Batch & Required<Pick<Batch, "session">> {
  const message = (part: string) =>
    ({
      at: AT,
      type: "user_message",
      messageId: `${name}${part}`,
      content: name,
      origin: "person",
    }) as const;
  return {
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
    events: [message("a"), message("b")],
  };
}

/** Appends such a batch, and prints the acknowledgement. */
export async function appendNumbered(
  store: Store,
  sessionId: string,
  name: string,
): Promise<{ readonly line: string; readonly lastSeq: number }> {
  const result = await store.append(numberedBatch(sessionId, name));
  if (result.status === "conflict") throw new Error("Nobody else appends here.");
  return { line: `${sessionId} ${result.lastSeq} ${name}`, lastSeq: result.lastSeq };
}
