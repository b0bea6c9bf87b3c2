import type { UnplacedEvent } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import type { AppendResult, Batch, StoredSession } from "../ports/store.ts";
import type { LiveSession } from "./live-session.ts";

type Row = NonNullable<Batch["session"]>;

/** Reads, changes and writes a session's row, with the events that belong to the change; one change at a time. */
export function changeRow(
  core: Core,
  live: LiveSession,
  change: (row: StoredSession) => { row: Row; events?: readonly UnplacedEvent[] } | undefined,
): Promise<AppendResult | undefined> {
  return live.rowWrites(async () => {
    const stored = await core.store.getSession(live.sessionId);
    const changed = stored && change(stored);
    if (!changed) return undefined;
    const { row, events = [] } = changed;
    return core.log.append({ sessionId: live.sessionId, session: toRow(row), events });
  });
}

/** `lastSeq` is the store's own. */
export function toRow(session: Row & { readonly lastSeq?: number }): Row {
  const { lastSeq: _, ...row } = session;
  return row;
}
