import type { InteractionWrite, Store, StoredInteraction } from "../ports/store.ts";
import type { SessionLog } from "../session/session-log.ts";

export interface FinishCallParts {
  readonly store: Pick<Store, "listToolCallInteractions">;
  readonly log: Pick<SessionLog, "append">;
}

/**
 * Marks the interactions of a call as finished, all in one write, so that nothing of it is ever replayed. An interaction
 * that changes in that moment is marked as it is then; one that was deleted is left out. Rejects when the store fails.
 */
export async function finishCall(
  { store, log }: FinishCallParts,
  call: {
    readonly sessionId: string;
    readonly toolCallId: string;
    readonly interactionIds: ReadonlySet<string>;
  },
): Promise<void> {
  const { sessionId, toolCallId, interactionIds } = call;
  if (interactionIds.size === 0) return;
  const rows = await store.listToolCallInteractions(sessionId, toolCallId);
  const open = new Map(
    rows
      .filter((row) => interactionIds.has(row.interaction.interactionId))
      .map((row) => [row.interaction.interactionId, row]),
  );
  for (;;) {
    const interactions = [...open.values()].flatMap(toFinished);
    if (interactions.length === 0) return;
    const result = await log.append({ sessionId, interactions });
    if (result.status === "appended") return;
    const { conflict } = result;
    if (conflict.kind !== "interaction") return;
    const { interactionId, current } = conflict;
    if (current) open.set(interactionId, current);
    else open.delete(interactionId);
  }
}

function toFinished(stored: StoredInteraction): InteractionWrite[] {
  const { call, interaction } = stored;
  if (!call || call.finished) return [];
  const { status: expectedStatus, hold: expectedHold } = interaction;
  const row = { ...stored, call: { ...call, finished: true } as const };
  return [{ row, expectedStatus, expectedHold }];
}
