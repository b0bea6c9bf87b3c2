import { ProtocolError } from "@holdpoint/protocol";

import type { HoldpointContext } from "./provider.tsx";

/**
 * Takes a person's queued messages out of the queue and puts them before what is typed for the session, so that after a
 * stop nothing is sent by itself. A message of which it is not known whether it left the queue is kept, too. Rejects when
 * the queue cannot be read.
 */
export async function takeBackQueue(
  { transport, drafts, draftChanges }: HoldpointContext,
  sessionId: string,
): Promise<void> {
  const queue = await transport.listQueue(sessionId);
  const own = queue.filter(({ origin }) => origin === "person");
  const kept = await Promise.all(
    own.map(async ({ messageId, content }) => {
      try {
        await transport.removeQueuedMessage(sessionId, messageId);
      } catch (error: unknown) {
        // The agent has it already.
        if (ProtocolError.isInstance(error) && error.code === "NOT_FOUND") return "";
      }
      return content;
    }),
  );
  const key = `message:${sessionId}`;
  const texts = [...kept, drafts.read(key) ?? ""].filter((text) => text.trim() !== "");
  drafts.write(key, texts.join("\n"));
  draftChanges.dispatchEvent(new Event(key));
}
