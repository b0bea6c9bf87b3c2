import { type ChainedEvent, type EventQuery, takeUnits } from "@holdpoint/engine";

import { toHex } from "./next-hash.ts";
import { placeOf } from "./place.ts";
import type { Statements } from "./statements/statements.ts";
import { toKey } from "./text-key.ts";

interface EventText {
  readonly seq: number;
  readonly json: string;
}

/** Reads a part of a session's log, oldest first. */
export function readEvents(
  { findSession, eventsAfter, eventsBefore }: Statements,
  sessionId: string,
  { after, before = Infinity, limit, units = Infinity }: EventQuery,
): EventText[] {
  const session = findSession.get(toKey(sessionId)) as { session_number: number } | undefined;
  if (!session) return [];
  const place = placeOf.bind(undefined, session.session_number);
  const count = Math.max(limit, 0);
  if (after !== undefined) {
    const rows = eventsAfter.iterate(place(after), place(Infinity), count);
    return takeUnits(toEvents(rows), units);
  }
  const rows = eventsBefore.all(place(0), place(before), count);
  return [...toEvents(rows.toReversed())];
}

function* toEvents(rows: Iterable<unknown>): Iterable<EventText> {
  for (const [seq, json] of rows as Iterable<[number, string]>) yield { seq, json };
}

/** Reads a part of a session's log with its hashes, oldest first, only as far as it is consumed. */
export function* readChain(
  { findSession, chainAfter }: Pick<Statements, "findSession" | "chainAfter">,
  sessionId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Iterable<ChainedEvent> {
  const session = findSession.get(toKey(sessionId)) as { session_number: number } | undefined;
  if (!session) return;
  const place = placeOf.bind(undefined, session.session_number);
  const rows: unknown = chainAfter.iterate(place(after), place(Infinity), Math.max(limit, 0));
  for (const [seq, json, hash] of rows as Iterable<[number, string, Uint8Array]>) {
    yield { seq, json, hash: toHex(hash) };
  }
}
