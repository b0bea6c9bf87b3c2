import type { Interaction, InteractionList, InteractionStatus } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { notFound } from "../lib/errors.ts";
import { withRemaining } from "./create-interaction.ts";

export interface InboxQuery {
  readonly status: readonly InteractionStatus[];
  readonly sessionId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Interactions of all sessions or of one, oldest first, with the time that each has left. */
export async function listInteractions(core: Core, query: InboxQuery): Promise<InteractionList> {
  const { items, nextCursor } = await core.store.listInteractions({
    statuses: query.status,
    limit: query.limit,
    ...(query.sessionId !== undefined && { sessionId: query.sessionId }),
    ...(query.cursor !== undefined && { cursor: query.cursor }),
  });
  const nowMs = core.clock.now();
  return {
    items: items.map((stored) => withRemaining(stored.interaction, nowMs)),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

export async function getInteraction(core: Core, interactionId: string): Promise<Interaction> {
  const stored = await core.store.getInteraction(interactionId);
  if (!stored) throw notFound("interaction");
  return withRemaining(stored.interaction, core.clock.now());
}
