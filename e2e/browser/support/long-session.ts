import { openSqliteStore } from "@holdpoint/store-sqlite";

const PER_APPEND = 1000;

/**
 * Writes a session with that many messages into a data folder. Its default title is `A long session`, and its texts
 * begin with `Message N:`.
 */
export async function writeLongSession(
  dataDir: string,
  messages: number,
  title = "A long session",
): Promise<string> {
  await using store = await openSqliteStore({ dataDir });
  const at = new Date().toISOString();
  const sessionId = `ses_${messages}`;
  await store.append({
    sessionId,
    session: {
      sessionId,
      agent: "demo",
      cwd: "/",
      title,
      permissionMode: "default",
      status: "idle",
      createdAt: at,
      updatedAt: at,
    },
  });
  for (let written = 0; written < messages; written += PER_APPEND) {
    await store.append({
      sessionId,
      events: Array.from({ length: Math.min(PER_APPEND, messages - written) }, (_, index) => ({
        type: "assistant_message" as const,
        at,
        turnId: `trn_${written}`,
        messageId: `msg_${written + index}`,
        text: `Message ${written + index}: ${"all *work* and `no play` ".repeat(5)}`,
        channel: "text" as const,
      })),
    });
  }
  return sessionId;
}
