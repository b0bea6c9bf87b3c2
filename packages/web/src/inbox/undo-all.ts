import type { Transport } from "@holdpoint/client";
import { ProtocolError, type Interaction } from "@holdpoint/protocol";

/** The result of undoing several responses. */
export interface UndoOutcome {
  /** Open again. */
  readonly undone: readonly string[];
  /** Their agents already have the answer. */
  readonly late: readonly string[];
  /** Unknown: the gateway neither confirmed nor refused. */
  readonly failed: readonly string[];
  /** The first refusal or failure. */
  readonly trouble?: unknown;
}

/** A response that can be undone. */
export interface Undoable {
  readonly interactionId: string;
  /** The times of the response and of its delivery to the agent, by the gateway's clock. */
  readonly answeredAt: string;
  readonly undoUntil: string;
}

/** The answered interactions whose responses can still be undone. */
export function toUndoable(answered: readonly Interaction[]): Undoable[] {
  return answered.flatMap(({ interactionId, by, undoUntil }) =>
    by !== undefined && undoUntil !== undefined
      ? [{ interactionId, answeredAt: by.at, undoUntil }]
      : [],
  );
}

/** Undoes each response separately, so that one that is too late does not affect the others. Never rejects. */
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

/** Whether the gateway refused. Without its reply, it is unclear who was first. */
function isLate(result: PromiseSettledResult<unknown>): boolean {
  if (result.status === "fulfilled") return false;
  return ProtocolError.isInstance(result.reason) && result.reason.code === "ALREADY_ANSWERED";
}
