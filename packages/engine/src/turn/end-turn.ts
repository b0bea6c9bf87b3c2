import { isQueued, OUTSTANDING_STATUSES, type UnplacedEvent } from "@holdpoint/protocol";

import {
  createLateMessage,
  lateMessageKey,
  type LateMessageParts,
} from "../interaction/late-response-message.ts";
import type { SettleInteraction } from "../interaction/settle.ts";
import { toInstant } from "../lib/instant.ts";
import type { TurnResult } from "../ports/agent-adapter.ts";
import type { AppendResult, Store, StoredInteraction, StoredMessage } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { SessionLog } from "../session/session-log.ts";
import { toRow } from "../session/stored-session.ts";

const RETRY_MS = 1000;
const PAGE_SIZE = 200;

export interface EndTurnParts extends LateMessageParts {
  readonly store: Store;
  readonly log: SessionLog;
  readonly settle: SettleInteraction;
  readonly draining: AbortSignal;
  readonly onError: (error: unknown, where: string) => void;
}

/**
 * Closes a turn in the log: withdraws its pending interactions, and queues each response that the agent did not take. Tries
 * until it is written. A turn that a closing gateway cut short is left open: the next start ends it, and until then its
 * interactions stay pending.
 */
export async function endTurn(
  parts: EndTurnParts,
  live: LiveSession,
  turn: RunningTurn,
  result: TurnResult,
): Promise<void> {
  for (;;) {
    await turn.writes.settled();
    if (live.deleting) return;
    try {
      const open = turn.hasAsked ? await openInteractions(parts, turn) : [];
      if (parts.draining.aborted && (result.reason !== "done" || open.length > 0)) return;
      const undelivered = await closeAll(parts, turn, open);
      const ending = { result: finalResult(turn, result), undelivered };
      const written = await writeEnd(parts, live, turn, ending);
      const isSentOn = written?.status === "conflict" && written.conflict.kind === "message";
      // A tool has sent one of the responses on in that moment: look again.
      if (!isSentOn) return;
    } catch (error: unknown) {
      parts.onError(error, "end of turn");
      // The wait ends early when the gateway closes; then the next start ends the turn.
      await parts.clock.sleep(RETRY_MS, { signal: parts.draining }).catch(() => undefined);
      if (parts.draining.aborted) return;
    }
  }
}

/** The turn's interactions that are pending, or answered but not yet taken. Queued ones outlive the turn. */
async function openInteractions(
  parts: EndTurnParts,
  turn: RunningTurn,
): Promise<StoredInteraction[]> {
  const found: StoredInteraction[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await parts.store.listInteractions({
      statuses: OUTSTANDING_STATUSES,
      sessionId: turn.sessionId,
      limit: PAGE_SIZE,
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...page.items.filter((stored) => isOf(turn, stored)));
    cursor = page.nextCursor;
    if (cursor === undefined) return found;
  }
}

function isOf({ turnId, calls }: RunningTurn, { interaction }: StoredInteraction): boolean {
  if (isQueued(interaction)) return false;
  return interaction.turnId === turnId || calls.adopted.has(interaction.interactionId);
}

async function closeAll(
  parts: EndTurnParts,
  turn: RunningTurn,
  open: readonly StoredInteraction[],
): Promise<StoredMessage[]> {
  const reason = turn.stopRequest?.reason ?? "The turn has ended.";
  const at = toInstant(parts.clock.now());
  const closed = await Promise.all(
    open.map((stored) => parts.settle(stored, { type: "withdraw", at, reason })),
  );
  const messages: StoredMessage[] = [];
  for (const result of closed) {
    if (result.status === "gone") continue;
    const { interaction } = result.stored;
    if (interaction.status !== "answered") continue;
    const key = lateMessageKey(interaction.interactionId);
    const known = await parts.store.findMessage(turn.sessionId, key);
    if (!known) messages.push(createLateMessage(parts, interaction));
  }
  return messages;
}

function writeEnd(
  parts: EndTurnParts,
  live: LiveSession,
  turn: RunningTurn,
  { result, undelivered }: { result: TurnResult; undelivered: readonly StoredMessage[] },
): Promise<AppendResult | undefined> {
  const { sessionId, turnId } = turn;
  return live.rowWrites(async () => {
    const stored = await parts.store.getSession(sessionId);
    if (!stored) return undefined;
    const at = toInstant(parts.clock.now());
    const events: UnplacedEvent[] = [
      ...(isNewError(turn, result) ? [{ at, turnId, ...toErrorEvent(result) }] : []),
      { type: "turn_ended", at, turnId, reason: result.reason },
    ];
    return parts.log.append({
      sessionId,
      events,
      session: toRow({ ...stored, status: "idle", updatedAt: at }),
      ...(undelivered.length > 0 && { enqueue: undelivered }),
    });
  });
}

type FailedResult = Extract<TurnResult, { reason: "error" }>;

function finalResult(turn: RunningTurn, result: TurnResult): TurnResult {
  if (turn.failure !== undefined) {
    const message = "The gateway could not write the log of this turn.";
    return { reason: "error", code: "AGENT_FAILED", message };
  }
  return turn.stopRequest && result.reason !== "done" ? { reason: "stopped" } : result;
}

/** An error that the agent has reported itself is not repeated. */
function isNewError(turn: RunningTurn, result: TurnResult): result is FailedResult {
  if (result.reason !== "error") return false;
  const { lastError } = turn;
  return lastError?.code !== result.code || lastError.message !== result.message;
}

function toErrorEvent({ code, message }: FailedResult) {
  return { type: "error", code, message } as const;
}
