import { type Caller, isKept, ProtocolError } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";

/** The session of the caller's token. Throws `FORBIDDEN` for a caller without one. */
export function askingSession({ sessionId }: Caller): string {
  if (sessionId !== undefined) return sessionId;
  throw new ProtocolError("FORBIDDEN", "This credential belongs to no session.");
}

/** One of the caller's own asks. Rejects with `NOT_FOUND` for any other interaction, whether it exists or not. */
export async function findOwnAsk(
  store: Pick<Store, "getInteraction">,
  caller: Caller,
  interactionId: string,
): Promise<StoredInteraction> {
  const sessionId = askingSession(caller);
  const stored = await store.getInteraction(interactionId);
  const isOwn = stored?.interaction.sessionId === sessionId && isKept(stored.interaction);
  if (!stored || !isOwn) throw notFound("ask");
  return stored;
}
