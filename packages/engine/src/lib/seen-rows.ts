import { maySee, namedIn, type Sight } from "@holdpoint/protocol";

import type { Store, StoredInteraction } from "../ports/store.ts";
import { notFound } from "./errors.ts";

/** Rejects with `NOT_FOUND` for a session that is not visible, as if it did not exist. */
export async function assertSeesSession(
  store: Pick<Store, "getSession">,
  sessionId: string,
  sight: Sight,
): Promise<void> {
  const session = await store.getSession(sessionId);
  if (!session || !maySee({ seenBy: session.seenBy }, sight)) throw notFound("session");
}

/** Rejects with `NOT_FOUND` for an interaction that is not visible, as if it did not exist. */
export async function assertSeesInteraction(
  store: Pick<Store, "getInteraction" | "getSession">,
  interactionId: string,
  sight: Sight,
): Promise<void> {
  const stored = await store.getInteraction(interactionId);
  if (!stored || !(await seesInteraction(store, stored, sight))) throw notFound("interaction");
}

export async function seesInteraction(
  store: Pick<Store, "getSession">,
  { interaction }: StoredInteraction,
  sight: Sight | undefined,
): Promise<boolean> {
  if (!sight) return true;
  const session = await store.getSession(interaction.sessionId);
  if (!session) return false;
  const { seenBy } = session;
  const named = namedIn(interaction.responders);
  return maySee({ seenBy, named }, sight);
}
