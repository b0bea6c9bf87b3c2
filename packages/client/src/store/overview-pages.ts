import {
  type Interaction,
  isAnswerable,
  LATE_STATUSES,
  ProtocolError,
  type Session,
} from "@holdpoint/protocol";

import type { Transport } from "../transports/transport.ts";
import { byActivity, byAge, type Overview, type OverviewList } from "../view/overview.ts";

/** Rows that were read outside of the stream. */
export interface OverviewPage {
  readonly sessions: readonly Session[];
  readonly interactions?: readonly Interaction[];
  /** The list that was read. */
  readonly list?: OverviewList;
  /** The cursor of the list's next page. */
  readonly nextCursor?: string | undefined;
}

interface PageRequest {
  readonly list: OverviewList;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Reads the next page of a list, with the sessions of its interactions. */
export async function readOverviewPage(
  transport: Transport,
  overview: Overview,
  { list, limit, signal }: PageRequest,
): Promise<OverviewPage> {
  const cursor = overview.cursors[list];
  if (list === "sessions") {
    const query = { limit, ...(cursor !== undefined && { cursor }) };
    const { items, nextCursor } = await transport.listSessions(query, { signal });
    return { list, sessions: items, nextCursor };
  }
  const status = list === "pending" ? (["pending"] as const) : LATE_STATUSES;
  let next = cursor;
  for (;;) {
    const query = { status, limit, ...(next !== undefined && { cursor: next }) };
    const { items, nextCursor } = await transport.listInteractions(query, { signal });
    const interactions = items.filter(isAnswerable);
    next = nextCursor;
    if (interactions.length > 0 || next === undefined) {
      const sessions = await readSessionsOf(transport, interactions, { overview, signal });
      return { list, interactions, sessions, nextCursor };
    }
  }
}

/** Reads the sessions of these interactions that are not loaded yet. Skips sessions that have been deleted. */
async function readSessionsOf(
  transport: Transport,
  interactions: readonly Interaction[],
  { overview, signal }: { readonly overview: Overview; readonly signal: AbortSignal },
): Promise<Session[]> {
  const known = new Set(overview.sessions.map(({ sessionId }) => sessionId));
  const asking = new Set(interactions.map(({ sessionId }) => sessionId));
  const missing = [...asking].filter((sessionId) => !known.has(sessionId));
  const found = await Promise.all(
    missing.map((sessionId) => transport.getSession(sessionId, { signal }).catch(ignoreDeleted)),
  );
  return found.filter((session) => session !== undefined);
}

function ignoreDeleted(error: unknown): undefined {
  if (!ProtocolError.isInstance(error) || error.code !== "NOT_FOUND") throw error;
}

/** Returns the overview with additional rows. A row replaces a loaded one with the same id. */
export function withPage(overview: Overview, page: OverviewPage): Overview {
  const { sessions, interactions = [], list, nextCursor } = page;
  const sessionIds = new Set(sessions.map(({ sessionId }) => sessionId));
  const interactionIds = new Set(interactions.map(({ interactionId }) => interactionId));
  const otherSessions = overview.sessions.filter(({ sessionId }) => !sessionIds.has(sessionId));
  const others = overview.waiting.filter(({ interactionId }) => !interactionIds.has(interactionId));
  return {
    ...overview,
    loads: overview.loads + 1,
    sessions: [...otherSessions, ...sessions].toSorted(byActivity),
    waiting: [...others, ...interactions.filter(isAnswerable)].toSorted(byAge),
    cursors: list ? { ...overview.cursors, [list]: nextCursor } : overview.cursors,
  };
}
