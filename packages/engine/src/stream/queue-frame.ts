import type { QueuedMessage, SerializedFrame } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import type { StoredMessage } from "../ports/store.ts";

/** The messages that wait in one session, as one frame. */
export async function queueFrame(core: Core, sessionId: string): Promise<SerializedFrame> {
  const messages = (await core.store.listQueue(sessionId)).map(toQueuedMessage);
  return { json: JSON.stringify({ type: "queue_changed", sessionId, messages }) };
}

/** What the wire shows of a stored message. */
export function toQueuedMessage(stored: StoredMessage): QueuedMessage {
  const { messageId, turnId, content, origin, queuedAt } = stored;
  return { messageId, turnId, content, origin, queuedAt };
}
