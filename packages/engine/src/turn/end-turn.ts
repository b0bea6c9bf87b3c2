import type { UnplacedEvent } from "@holdpoint/protocol";

import { lateDeliveryOf, type LateDeliveryParts } from "../interaction/late-delivery.ts";
import { toInstant } from "../lib/instant.ts";
import { CONFLICT, retryConflicts } from "../lib/retry-conflicts.ts";
import { retryUntilDone } from "../lib/retry-until-done.ts";
import type { TurnResult } from "../ports/agent-adapter.ts";
import type { AppendResult, StoredInteraction } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { toEnded } from "../session/stored-session.ts";
import {
  closeInteractions,
  listOpenInteractions,
  type CloseInteractionsParts,
} from "./close-interactions.ts";

export interface EndTurnParts extends CloseInteractionsParts, LateDeliveryParts {
  readonly draining: AbortSignal;
  readonly onError: (error: unknown, where: string) => void;
}

/**
 * Writes the end of a turn to the log and closes its open interactions. Retries until that is written. A turn cut short
 * by a closing gateway stays open, with its interactions pending: the next start ends it.
 */
export async function endTurn(
  parts: EndTurnParts,
  live: LiveSession,
  turn: RunningTurn,
  result: TurnResult,
): Promise<void> {
  const end = (): Promise<undefined> => retryConflicts(() => tryToEnd(parts, live, turn, result));
  // Ends early when the gateway closes. The next start then ends the turn.
  await retryUntilDone(parts, "end of turn", end).catch(() => undefined);
}

async function tryToEnd(
  parts: EndTurnParts,
  live: LiveSession,
  turn: RunningTurn,
  result: TurnResult,
): Promise<typeof CONFLICT | undefined> {
  await turn.writes.settled();
  if (live.deleting) return undefined;
  const open = turn.hasAsked ? await listOpenInteractions(parts.store, turn) : [];
  if (parts.draining.aborted && isCutShort(result, open)) return undefined;
  const undelivered = await closeInteractions(parts, { live, turn, result }, open);
  const ending = { result: finalResult(turn, result), undelivered };
  const written = await writeEnd(parts, live, turn, ending);
  // A tool has just passed on one of the responses, so check again.
  const isSentOn = written?.status === "conflict" && written.conflict.kind === "message";
  return isSentOn ? CONFLICT : undefined;
}

function writeEnd(
  parts: EndTurnParts,
  live: LiveSession,
  turn: RunningTurn,
  { result, undelivered }: { result: TurnResult; undelivered: readonly StoredInteraction[] },
): Promise<AppendResult | undefined> {
  const { sessionId, turnId } = turn;
  return live.rowWrites(async () => {
    const stored = await parts.store.getSession(sessionId);
    if (!stored) return undefined;
    const at = toInstant(parts.clock.now());
    const late = lateDeliveryOf(parts, undelivered);
    const events: UnplacedEvent[] = [
      ...late.events,
      ...(isNewError(turn, result) ? [{ at, turnId, ...toErrorEvent(result) }] : []),
      {
        type: "turn_ended",
        at,
        turnId,
        reason: result.reason,
        ...(turn.usage && { usage: turn.usage }),
      },
    ];
    return parts.log.append({
      sessionId,
      events,
      session: toEnded(stored, result.reason, at),
      ...(undelivered.length > 0 && { enqueue: late.enqueue, grants: late.grants }),
    });
  });
}

/**
 * Whether a closing gateway has cut the turn short. Parked interactions are fine, since an answer restarts their agent.
 */
function isCutShort({ reason }: TurnResult, open: readonly StoredInteraction[]): boolean {
  const isEnd = reason === "done" || reason === "parked";
  return !isEnd || open.some(({ interaction }) => interaction.hold !== "parked");
}

type FailedResult = Extract<TurnResult, { reason: "error" }>;

function finalResult(turn: RunningTurn, result: TurnResult): TurnResult {
  if (turn.failure !== undefined) {
    const message = "The gateway could not write the log of this turn.";
    return { reason: "error", code: "AGENT_FAILED", message };
  }
  return turn.stopRequest && result.reason !== "done" ? { reason: "stopped" } : result;
}

/** Whether the error has to be written. One that the agent has reported itself is not repeated. */
function isNewError(turn: RunningTurn, result: TurnResult): result is FailedResult {
  if (result.reason !== "error") return false;
  const { lastError } = turn;
  return lastError?.code !== result.code || lastError.message !== result.message;
}

function toErrorEvent({ code, message, retryAt }: FailedResult) {
  return { type: "error", code, message, ...(retryAt !== undefined && { retryAt }) } as const;
}
