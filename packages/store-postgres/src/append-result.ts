import type { AppendConflict, AppendResult, StoredInteraction } from "@holdpoint/engine";
import { type InteractionRow, placeEvent, toStoredInteraction } from "@holdpoint/store-sqlite/rows";

import { fromKey } from "./text-key.ts";

/** The result of `write_append`. */
export type WrittenAppend =
  | { readonly firstSeq: number; readonly conflict?: never }
  | { readonly conflict: WrittenConflict };

type WrittenConflict =
  | { readonly kind: "no_session" }
  | { readonly kind: "attachment" | "grant"; readonly id: string }
  | { readonly kind: "interaction"; readonly id: string; readonly current: InteractionRow | null }
  | { readonly kind: "message"; readonly id: string; readonly current: string | null };

/** Converts the result. The events get the same `seq` as in the database. */
export function toAppendResult(
  events: readonly string[],
  written: WrittenAppend,
  open: (row: StoredInteraction) => StoredInteraction,
): AppendResult {
  if (written.conflict) return { status: "conflict", conflict: toConflict(written.conflict, open) };
  const { firstSeq } = written;
  return {
    status: "appended",
    events: events.map((event, index) => {
      const seq = firstSeq + index;
      return { seq, json: placeEvent(event, seq) };
    }),
    lastSeq: firstSeq + events.length - 1,
  };
}

function toConflict(
  conflict: WrittenConflict,
  open: (row: StoredInteraction) => StoredInteraction,
): AppendConflict {
  switch (conflict.kind) {
    case "no_session":
      return { kind: "no_session" };
    case "attachment":
      return { kind: "attachment", attachmentId: fromKey(conflict.id) };
    case "grant":
      return { kind: "grant", grantId: fromKey(conflict.id) };
    case "interaction": {
      const { id, current } = conflict;
      const row = current && { current: open(toStoredInteraction(current)) };
      return { kind: "interaction", interactionId: fromKey(id), ...row };
    }
    case "message": {
      const { id, current } = conflict;
      const row = current !== null && { current: JSON.parse(current) };
      return { kind: "message", messageId: fromKey(id), ...row };
    }
  }
}
