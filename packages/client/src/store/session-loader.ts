import type { Interaction } from "@holdpoint/protocol";

import type { Transport } from "../transports/transport.ts";
import {
  createSessionView,
  prependEvents,
  withInteractions,
  withSession,
} from "../view/session-view-reducer.ts";
import type { SessionView } from "../view/session-view.ts";

/** What may still be answered, however far back in the log it was asked. */
const OPEN_STATUSES = ["pending", "orphaned", "expired"] as const;
const MOST_OPEN_PAGES = 10;

/**
 * The newest part of a session and all that waits in it, read at once. What changes in between is told again by the
 * stream that is followed from the last event on: events only move an interaction forward. The stream tells the queue.
 */
export async function loadSessionView(
  transport: Transport,
  sessionId: string,
  { pageSize, signal }: { readonly pageSize: number; readonly signal: AbortSignal },
): Promise<SessionView> {
  const [session, open, page] = await Promise.all([
    transport.getSession(sessionId, { signal }),
    listOpen(transport, sessionId, signal),
    transport.readEvents(sessionId, { limit: pageSize }, { signal }),
  ]);
  const known = withInteractions(withSession(createSessionView(page.epoch), session), open);
  return prependEvents(known, page.items, (page.items[0]?.seq ?? 1) > 1).view;
}

async function listOpen(
  transport: Transport,
  sessionId: string,
  signal: AbortSignal,
): Promise<Interaction[]> {
  const open: Interaction[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_OPEN_PAGES; pages += 1) {
    const page = await transport.listInteractions(
      { sessionId, status: OPEN_STATUSES, limit: 1000, ...(cursor !== undefined && { cursor }) },
      { signal },
    );
    open.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return open;
}
