import type { EventPage, SerializedFrame, SessionEvent } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { notFound } from "../lib/errors.ts";

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
 * A page of the log, oldest first. `nextCursor` is the `after` (or, reading backwards, the `before`) of the next page
 * and absent at the end of that direction.
 */
export async function readEventTexts(
  core: Core,
  sessionId: string,
  { after, before, limit }: EventPageRequest,
): Promise<EventTextPage> {
  if (!(await core.store.getSession(sessionId))) throw notFound("session");
  if (after !== undefined) {
    const found = await core.store.readEvents(sessionId, { after, limit: limit + 1 });
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return { items, ...(found.length > limit && last && { nextCursor: String(last.seq) }) };
  }
  const items = await core.store.readEvents(sessionId, {
    limit,
    ...(before !== undefined && { before }),
  });
  const first = items[0];
  return { items, ...(first && first.seq > 1 && { nextCursor: String(first.seq) }) };
}

/** The same page as values. */
export async function readEvents(
  core: Core,
  sessionId: string,
  query: EventPageRequest,
): Promise<EventPage> {
  const { items, nextCursor } = await readEventTexts(core, sessionId, query);
  return {
    items: items.map(({ json }) => JSON.parse(json) as SessionEvent),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}
