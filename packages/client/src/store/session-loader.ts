import { ANSWERABLE_STATUSES, type Interaction, pagesOf } from "@holdpoint/protocol";

import type { Transport } from "../transports/transport.ts";
import {
  createSessionState,
  prependEvents,
  type SessionState,
  withInteractions,
  withSession,
} from "../view/session-state.ts";

const MOST_OPEN_PAGES = 10;

/**
 * Loads the newest events of a session and, at the same time, all of its answerable interactions, however old. Changes
 * in between are not lost: the stream that follows from the last event delivers them, and an event only moves an
 * interaction forward. The queue comes from the stream, too.
 */
export async function loadSessionState(
  transport: Transport,
  sessionId: string,
  { pageSize, signal }: { readonly pageSize: number; readonly signal: AbortSignal },
): Promise<SessionState> {
  const [session, open, page] = await Promise.all([
    transport.getSession(sessionId, { signal }),
    listOpen(transport, sessionId, signal),
    transport.readEvents(sessionId, { limit: pageSize }, { signal }),
  ]);
  const known = withInteractions(withSession(createSessionState(page.epoch), session), open);
  return prependEvents(known, page.items, (page.items[0]?.seq ?? 1) > 1).state;
}

async function listOpen(
  transport: Transport,
  sessionId: string,
  signal: AbortSignal,
): Promise<Interaction[]> {
  const open: Interaction[] = [];
  const query = { sessionId, status: ANSWERABLE_STATUSES, limit: 1000 };
  let pages = 0;
  for await (const { items } of pagesOf((start) =>
    transport.listInteractions({ ...query, ...start }, { signal }),
  )) {
    open.push(...items);
    pages += 1;
    if (pages === MOST_OPEN_PAGES) break;
  }
  return open;
}
