import { isQueued, type UnplacedEvent } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { toInstant } from "../interaction/create-interaction.ts";
import { createLateMessage, lateMessageKey, settle } from "../interaction/settle.ts";
import type { TurnResult } from "../ports/agent-adapter.ts";
import type { AppendResult, StoredInteraction, StoredMessage } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import { toRow } from "../session/stored-session.ts";
import type { RunningTurn } from "./running-turn.ts";

const retryMs = 1000;
const pageSize = 200;

/**
 * Closes a turn in the log: takes back what it still asks, and queues each response that the agent did not take. Tries
 * until it is written. A turn that a closing gateway cut short is left open: the next start ends it, and until then
 * what it asked keeps waiting.
 */
export async function endTurn(
  core: Core,
  live: LiveSession,
  turn: RunningTurn,
  result: TurnResult,
): Promise<void> {
  for (;;) {
    await turn.writes.settled();
    if (live.deleting) return;
    try {
      const open = turn.hasAsked ? await openInteractions(core, turn) : [];
      if (core.draining.aborted && (result.reason !== "done" || open.length > 0)) return;
      const undelivered = await closeAll(core, turn, open);
      const ending = { result: finalResult(turn, result), undelivered };
      const written = await write(core, live, turn, ending);
      const isSaid = written?.status === "conflict" && written.conflict.kind === "message";
      // A tool has passed one of the responses on in that moment: look again.
      if (!isSaid) return;
    } catch (error: unknown) {
      core.onError(error, "end of turn");
      // The wait ends early when the gateway closes; then the next start ends the turn.
      await core.clock.sleep(retryMs, { signal: core.draining }).catch(() => undefined);
      if (core.draining.aborted) return;
    }
  }
}

/** What the turn still waits for, and what was answered but not yet taken. What is queued outlives it. */
async function openInteractions(core: Core, turn: RunningTurn): Promise<StoredInteraction[]> {
  const found: StoredInteraction[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await core.store.listInteractions({
      statuses: ["pending", "answered"],
      sessionId: turn.sessionId,
      limit: pageSize,
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...page.items.filter((stored) => isOf(turn, stored)));
    cursor = page.nextCursor;
    if (cursor === undefined) return found;
  }
}

function isOf({ turnId, calls }: RunningTurn, { interaction }: StoredInteraction): boolean {
  if (isQueued(interaction)) return false;
  return interaction.turnId === turnId || calls?.adopted.has(interaction.interactionId) === true;
}

async function closeAll(
  core: Core,
  turn: RunningTurn,
  open: readonly StoredInteraction[],
): Promise<StoredMessage[]> {
  const reason = turn.stopRequest?.reason ?? "The turn has ended.";
  const at = toInstant(core.clock.now());
  const closed = await Promise.all(
    open.map((stored) => settle(core, stored, { type: "withdraw", at, reason })),
  );
  const messages: StoredMessage[] = [];
  for (const result of closed) {
    if (result.status === "gone") continue;
    const { interaction } = result.stored;
    if (interaction.status !== "answered") continue;
    const key = lateMessageKey(interaction.interactionId);
    const known = await core.store.findMessage(turn.sessionId, key);
    if (!known) messages.push(createLateMessage(core, interaction));
  }
  return messages;
}

function write(
  core: Core,
  live: LiveSession,
  turn: RunningTurn,
  { result, undelivered }: { result: TurnResult; undelivered: readonly StoredMessage[] },
): Promise<AppendResult | undefined> {
  const { sessionId, turnId } = turn;
  return live.rowWrites(async () => {
    const stored = await core.store.getSession(sessionId);
    if (!stored) return undefined;
    const at = toInstant(core.clock.now());
    const events: UnplacedEvent[] = [
      ...(isNewError(turn, result) ? [{ at, turnId, ...toErrorEvent(result) }] : []),
      { type: "turn_ended", at, turnId, reason: result.reason },
    ];
    return core.log.append({
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
