import { transition, type UnplacedEvent } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { toInstant } from "../interaction/create-interaction.ts";
import { moveRow } from "../interaction/settle.ts";
import type { InteractionWrite, StoredMessage, StoredSession } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import { refreshStatus } from "../session/session-status.ts";
import { titleFromMessage } from "../session/session-title.ts";
import { toRow } from "../session/stored-session.ts";
import { AgentStartError, discardAgent, openAgent } from "./agent-session.ts";
import { endTurn } from "./end-turn.ts";
import { RunningTurn, type TurnOutcome } from "./running-turn.ts";
import { createTurnContext } from "./turn-context.ts";

/**
 * Takes a message from the queue and runs its turn to the end. Rejects only when the turn could not be started; the
 * message is then still queued.
 */
export async function runTurn(
  core: Core,
  live: LiveSession,
  message: StoredMessage,
): Promise<void> {
  const { sessionId, turnId } = message;
  const stored = await core.store.getSession(sessionId);
  // Whoever deletes the session or closes the gateway stops the turn that they find, and waits for its driver.
  if (!stored || live.deleting || core.draining.aborted) return;
  const turn = new RunningTurn({ sessionId, turnId, agent: stored.agent, cwd: stored.cwd });
  live.turn = turn;
  try {
    if (!(await startTurn(core, live, message))) return;
    beginTurn(core, live, turn);
    const { result, keepAgent } = await turn.outcomeOf(work(core, live, turn, message));
    turn.close();
    if (!keepAgent) void discardAgent(core, live);
    await endTurn(core, live, turn, result);
  } finally {
    clearTurn(core, live, turn);
  }
}

/** Says that the turn is in the log. */
export function beginTurn(core: Core, live: LiveSession, turn: RunningTurn): void {
  turn.begun = true;
  refreshStatus(core, live.sessionId);
  live.changes.notify();
}

/** Leaves nothing of the turn behind. */
export function clearTurn(core: Core, live: LiveSession, turn: RunningTurn): void {
  turn.close();
  turn.forceTimer?.[Symbol.dispose]();
  live.turn = undefined;
  live.partials.clear();
  refreshStatus(core, live.sessionId);
  live.changes.notify();
}

/** What the agent makes of the message. Never rejects. */
async function work(
  core: Core,
  live: LiveSession,
  turn: RunningTurn,
  message: StoredMessage,
): Promise<TurnOutcome> {
  const { messageId, content } = message;
  try {
    const agent = await openAgent(core, live, turn);
    const context = createTurnContext(core, live, turn);
    if (turn.signal.aborted) return { result: { reason: "stopped" }, keepAgent: true };
    return { result: await agent.runTurn({ messageId, content }, context), keepAgent: true };
  } catch (error: unknown) {
    if (!turn.signal.aborted) core.onError(error, "turn");
    const code = error instanceof AgentStartError ? "AGENT_CRASHED" : "AGENT_FAILED";
    const detail = error instanceof Error ? error.message : String(error);
    return { result: { reason: "error", code, message: detail }, keepAgent: false };
  }
}

/** Moves the message from the queue into the log. False when it is not queued any more. */
function startTurn(core: Core, live: LiveSession, message: StoredMessage): Promise<boolean> {
  const { sessionId, turnId } = message;
  return live.rowWrites(async () => {
    const stored = await core.store.getSession(sessionId);
    if (!stored) return false;
    const at = toInstant(core.clock.now());
    const title = stored.title === "" ? titleFromMessage(message.content) : stored.title;
    const delivery = await deliveryOf(core, message, at);
    const events: UnplacedEvent[] = [
      userMessage(message, at),
      { type: "turn_started", at, turnId },
      ...(delivery ? [delivery.event] : []),
      ...(title === stored.title ? [] : [{ type: "session_updated", at, turnId, title } as const]),
    ];
    const row: StoredSession = { ...stored, title, status: "running", updatedAt: at };
    const result = await core.log.append({
      sessionId,
      events,
      session: toRow(row),
      dequeue: [message.messageId],
      ...(delivery && { interactions: [delivery.write] }),
    });
    return result.status === "appended";
  });
}

function userMessage(message: StoredMessage, at: string): UnplacedEvent {
  const { turnId, messageId, content, origin, interactionId } = message;
  return {
    type: "user_message",
    at,
    turnId,
    messageId,
    content,
    origin,
    ...(interactionId !== undefined && { interactionId }),
  };
}

/** The response that this message carries is delivered with it, in the same transaction. */
async function deliveryOf(
  core: Core,
  { interactionId, turnId }: StoredMessage,
  at: string,
): Promise<{ event: UnplacedEvent; write: InteractionWrite } | undefined> {
  const stored = interactionId && (await core.store.getInteraction(interactionId));
  if (!stored) return undefined;
  const next = transition(stored.interaction, { type: "deliver", at, how: "user_message", turnId });
  if (next.status === "refused") return undefined;
  const row = moveRow(stored, next.interaction);
  return { event: next.event, write: { row, expectedStatus: stored.interaction.status } };
}
