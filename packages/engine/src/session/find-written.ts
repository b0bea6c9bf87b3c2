import { hashOf } from "../lib/digest.ts";
import type { AppendResult, Batch, InteractionWrite, Store } from "../ports/store.ts";

type Written = Extract<AppendResult, { status: "appended" }>;

/** The most events that others may have written in the meantime. */
const LOOKBACK = 256;

/**
 * The result of a batch that was written although the write was reported as failed, for example because the connection
 * was lost after the commit. `undefined` when the end of the log does not have its events, when the store cannot be
 * read, and for a batch without events, unless it takes interactions off the overview.
 */
export async function findWritten(
  store: Store,
  { sessionId, events = [], interactions = [] }: Batch,
): Promise<Written | undefined> {
  if (events.length === 0) return findLeft(store, sessionId, interactions);
  const limit = events.length + LOOKBACK;
  const newest = await store.readEvents(sessionId, { limit }).catch(() => []);
  const wanted = events.map((event) => hashOf(JSON.parse(JSON.stringify(event))));
  const found = newest.map(({ json }) => {
    const { seq: _, ...event } = JSON.parse(json) as { readonly seq: number };
    return hashOf(event);
  });
  const first = found.findLastIndex((_, place) =>
    wanted.every((hash, index) => found[place + index] === hash),
  );
  const written = newest.slice(first, first + events.length);
  const last = written.at(-1);
  return first === -1 || !last
    ? undefined
    : { status: "appended", events: written, lastSeq: last.seq };
}

/** A batch is written as a whole, so checking one of its interactions is enough. */
async function findLeft(
  store: Store,
  sessionId: string,
  [first]: readonly InteractionWrite[],
): Promise<Written | undefined> {
  if (!first?.leavesOverview) return undefined;
  const { interactionId } = first.row.interaction;
  const found = await store.getInteraction(interactionId).catch(() => undefined);
  const session = found?.leftOverview && (await store.getSession(sessionId).catch(() => undefined));
  return session && { status: "appended", events: [], lastSeq: session.lastSeq };
}
