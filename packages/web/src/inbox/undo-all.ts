import type { Transport } from "@holdpoint/client";
import { ProtocolError, type Interaction } from "@holdpoint/protocol";

/** What became of taking back several responses at once. */
export interface UndoOutcome {
  /** They are open again. */
  readonly undone: readonly string[];
  /** Their agents have the answer. */
  readonly late: readonly string[];
  /** Nobody knows: the gateway said neither yes nor no. */
  readonly failed: readonly string[];
  /** The first refusal or failure. */
  readonly trouble?: unknown;
}

/** A response that can be taken back. */
export interface Undoable {
  readonly interactionId: string;
  /** When it was given, and when the agent gets it, by the gateway's clock. */
  readonly answeredAt: string;
  readonly undoUntil: string;
}

/** Those of the answered interactions that can still be taken back. */
export function toUndoable(answered: readonly Interaction[]): Undoable[] {
  return answered.flatMap(({ interactionId, by, undoUntil }) =>
    by !== undefined && undoUntil !== undefined
      ? [{ interactionId, answeredAt: by.at, undoUntil }]
      : [],
  );
}

/** Takes back each response by itself: one that is late keeps no other one from it. Never rejects. */
export async function undoAll(
  transport: Pick<Transport, "undoResponse">,
  undoable: readonly Undoable[],
): Promise<UndoOutcome> {
  const results = await Promise.allSettled(
    undoable.map(({ interactionId, answeredAt }) =>
      transport.undoResponse(interactionId, { answeredAt }),
    ),
  );
  const idsOf = (isMeant: (result: PromiseSettledResult<unknown>) => boolean): string[] =>
    undoable
      .filter((_, index) => results[index] !== undefined && isMeant(results[index]))
      .map(({ interactionId }) => interactionId);
  const trouble = results.find((result) => result.status === "rejected");
  return {
    undone: idsOf(({ status }) => status === "fulfilled"),
    late: idsOf((result) => isLate(result)),
    failed: idsOf((result) => result.status === "rejected" && !isLate(result)),
    ...(trouble !== undefined && { trouble: trouble.reason as unknown }),
  };
}

/** Whether the gateway said no. Without its word, nobody knows who was first. */
function isLate(result: PromiseSettledResult<unknown>): boolean {
  if (result.status === "fulfilled") return false;
  return ProtocolError.isInstance(result.reason) && result.reason.code === "ALREADY_ANSWERED";
}
