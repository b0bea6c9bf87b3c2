import { hashOf } from "../lib/digest.ts";
import type { AppendResult, Batch, Store } from "../ports/store.ts";

/** Others may have written meanwhile; not more than this. */
const LOOKBACK = 256;

/**
 * What a batch has written whose write was reported as failed, as when a connection is lost after the commit. `undefined`
 * when the log does not end with its events, for a batch without events, and when the store cannot say.
 */
export async function findWritten(
  store: Store,
  { sessionId, events = [] }: Batch,
): Promise<Extract<AppendResult, { status: "appended" }> | undefined> {
  if (events.length === 0) return undefined;
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
