import type { EventPage, SerializedFrame, SessionEvent } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import type { Store } from "../ports/store.ts";

export interface EventPageRequest {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface EventTextPage {
  readonly items: readonly SerializedFrame[];
  readonly nextCursor?: string;
}

/**
 * A page of the log, oldest first. `nextCursor` is the `after` of the next page (or the `before`, when reading
 * backwards). It is absent at the end of that direction.
 */
export async function readEventTexts(
  store: Store,
  sessionId: string,
  { after, before, limit }: EventPageRequest,
): Promise<EventTextPage> {
  if (!(await store.getSession(sessionId))) throw notFound("session");
  if (after !== undefined) {
    const found = await store.readEvents(sessionId, { after, limit: limit + 1 });
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return { items, ...(found.length > limit && last && { nextCursor: String(last.seq) }) };
  }
  const items = await store.readEvents(sessionId, {
    limit,
    ...(before !== undefined && { before }),
  });
  const first = items[0];
  return { items, ...(first && first.seq > 1 && { nextCursor: String(first.seq) }) };
}

/** A page of the log as parsed events, oldest first. */
export async function readEvents(
  store: Store,
  sessionId: string,
  query: EventPageRequest,
): Promise<EventPage> {
  const { items, nextCursor } = await readEventTexts(store, sessionId, query);
  return {
    items: items.map(({ json }) => JSON.parse(json) as SessionEvent),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}
