import type { Interaction, InteractionList, InteractionStatus, Sight } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { withRemaining } from "./create-interaction.ts";

export interface InboxParts {
  readonly store: Store;
  readonly clock: Clock;
}

export interface InboxQuery {
  readonly status: readonly InteractionStatus[];
  readonly sessionId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** The sight of the reader. */
  readonly sight?: Sight | undefined;
}

/** Interactions of all sessions or of one, oldest first, with the time left for each. */
export async function listInteractions(
  { store, clock }: InboxParts,
  { status, limit, sessionId, cursor, sight }: InboxQuery,
): Promise<InteractionList> {
  const { items, nextCursor } = await store.listInteractions({
    statuses: status,
    limit,
    sight,
    ...(sessionId !== undefined && { sessionId }),
    ...(cursor !== undefined && { cursor }),
  });
  const nowMs = clock.now();
  return {
    items: items.map((stored) => withRemaining(stored.interaction, nowMs)),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

export async function getInteraction(
  { store, clock }: InboxParts,
  interactionId: string,
): Promise<Interaction> {
  const stored = await store.getInteraction(interactionId);
  if (!stored) throw notFound("interaction");
  return withRemaining(stored.interaction, clock.now());
}
