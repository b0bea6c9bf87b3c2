import type { SettleInteraction } from "../interaction/settle.ts";
import { toInstant } from "../lib/instant.ts";
import { CONFLICT, retryConflicts } from "../lib/retry-conflicts.ts";
import { retryUntilDone, type RetryParts } from "../lib/retry-until-done.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { UnconfirmedAnswer } from "../session/unconfirmed-answers.ts";

export interface ConfirmAnswersParts extends RetryParts {
  readonly store: Store;
  readonly log: SessionLog;
  readonly settle: SettleInteraction;
}

/**
 * Records that the agent has the answers to this tool call, and deletes the call's kept result. Call this when the
 * agent shows a result of the call. Retries until that is written. Rejects when the gateway closes first.
 */
export async function confirmAnswers(
  parts: ConfirmAnswersParts,
  { turnId, unconfirmed }: Pick<RunningTurn, "turnId" | "unconfirmed">,
  toolCallId: string,
): Promise<void> {
  const recorded = [...unconfirmed.take(toolCallId)].map(([interactionId, answer]) =>
    retryUntilDone(parts, "delivery", () => recordOne(parts, { turnId, interactionId, answer })),
  );
  await Promise.all(recorded);
}

async function recordOne(
  parts: ConfirmAnswersParts,
  taken: {
    readonly turnId: string;
    readonly interactionId: string;
    readonly answer: UnconfirmedAnswer;
  },
): Promise<void> {
  const { turnId, interactionId, answer } = taken;
  const { failure, isKeeper } = answer;
  const stored = await parts.store.getInteraction(interactionId);
  if (!stored) return;
  if (isKeeper) return dropResult(parts, stored);
  const at = toInstant(parts.clock.now());
  const failed = failure !== undefined && { failure };
  const delivered = { type: "deliver", at, how: "resumed", turnId, ...failed } as const;
  const result = await parts.settle(stored, delivered);
  if (result.status === "refused") await dropResult(parts, result.stored);
}

/** Deletes the kept result of a row, which may also be delivered already or have no answer. */
export async function dropResult(
  { log }: Pick<ConfirmAnswersParts, "log">,
  stored: StoredInteraction,
): Promise<void> {
  let current = stored;
  await retryConflicts<undefined>(async () => {
    if (!current.keptResult) return undefined;
    const { keptResult: _kept, secretValues: _values, ...row } = current;
    const { sessionId, status: expectedStatus, hold: expectedHold } = row.interaction;
    const interactions = [{ row, expectedStatus, expectedHold }];
    const result = await log.append({ sessionId, interactions });
    if (result.status === "appended" || result.conflict.kind !== "interaction") return undefined;
    if (!result.conflict.current) return undefined;
    current = result.conflict.current;
    return CONFLICT;
  });
}
