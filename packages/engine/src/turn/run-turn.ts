import { transition, type Attachment, type UnplacedEvent } from "@holdpoint/protocol";

import { moveRow } from "../interaction/settle.ts";
import { toInstant } from "../lib/instant.ts";
import type { AgentSession, TurnContext, TurnMessage, TurnResult } from "../ports/agent-adapter.ts";
import type { InteractionWrite, Store, StoredMessage } from "../ports/store.ts";
import {
  AgentStartError,
  discardAgent,
  openAgent,
  type OpenAgentParts,
} from "../session/agent-session.ts";
import { loadAttachments } from "../session/attachments.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import { RunningTurn, type TurnOutcome } from "../session/running-turn.ts";
import { titleFromMessage } from "../session/session-title.ts";
import { toBegun } from "../session/stored-session.ts";
import { isAgentGone } from "./close-interactions.ts";
import { endTurn, type EndTurnParts } from "./end-turn.ts";

export interface RunTurnParts extends EndTurnParts, OpenAgentParts {
  readonly sessions: LiveSessions;
  /** The context that the agent gets for one turn. */
  readonly createContext: (live: LiveSession, turn: RunningTurn) => TurnContext;
}

/** The beginning of a turn, and the work of its agent. */
interface TurnStart {
  /** Writes the beginning to the log. False: the turn must not begin. */
  readonly begin: () => Promise<boolean>;
  readonly run: (agent: AgentSession, context: TurnContext) => Promise<TurnResult>;
}

/**
 * Takes a message from the queue and runs its turn to the end. Rejects only when the turn could not be started; the
 * message is then still queued.
 */
export async function runTurn(
  parts: RunTurnParts,
  live: LiveSession,
  message: StoredMessage,
): Promise<void> {
  const { sessionId, turnId } = message;
  const stored = await parts.store.getSession(sessionId);
  if (!stored) return;
  const { agent, cwd, createdBy } = stored;
  const turn = new RunningTurn({ sessionId, turnId, agent, cwd, createdBy });
  await playTurn(parts, live, turn, {
    begin: () => startTurn(parts, live, message),
    run: async (agent, context) => agent.runTurn(await toTurnMessage(parts, message), context),
  });
}

async function toTurnMessage(
  parts: Pick<RunTurnParts, "store">,
  { sessionId, messageId, content, attachments }: StoredMessage,
): Promise<TurnMessage> {
  if (!attachments) return { messageId, content };
  return { messageId, content, attachments: await loadAttachments(parts, sessionId, attachments) };
}

/** Runs a turn to its end. Rejects only when it could not be started. */
export async function playTurn(
  parts: RunTurnParts,
  live: LiveSession,
  turn: RunningTurn,
  start: TurnStart,
): Promise<void> {
  // Deleting the session and closing the gateway stop only a turn that they find, so this one must not begin.
  if (live.deleting || parts.draining.aborted) return;
  live.turn = turn;
  try {
    if (!(await start.begin())) return;
    beginTurn(parts, live, turn);
    const outcome = await turn.outcomeOf(runAgent(parts, live, turn, start.run));
    const { result, keepAgent } = outcome;
    if (isAgentGone(result)) turn.calls.letGo();
    turn.close();
    if (outcome.isLeft) return;
    if (!keepAgent || result.reason === "parked") void discardAgent(parts, live);
    await endTurn(parts, live, turn, result);
  } finally {
    clearTurn(parts, live, turn);
  }
}

interface TurnStatusParts {
  readonly sessions: LiveSessions;
}

/** Call this once the beginning of the turn is in the log. */
export function beginTurn(
  { sessions }: TurnStatusParts,
  live: LiveSession,
  turn: RunningTurn,
): void {
  turn.begun = true;
  sessions.refreshStatus(live.sessionId);
  live.changes.notify();
}

/** Call this when the turn is over. It leaves nothing of the turn behind. */
export function clearTurn(
  { sessions }: TurnStatusParts,
  live: LiveSession,
  turn: RunningTurn,
): void {
  turn.close();
  turn.forceTimer?.[Symbol.dispose]();
  live.turn = undefined;
  live.partials.clear();
  sessions.refreshStatus(live.sessionId);
  live.changes.notify();
}

/** Lets the agent run its turn. Never rejects: a failure of the agent is a result. */
async function runAgent(
  parts: RunTurnParts,
  live: LiveSession,
  turn: RunningTurn,
  run: TurnStart["run"],
): Promise<TurnOutcome> {
  try {
    const agent = await openAgent(parts, live, turn);
    const context = parts.createContext(live, turn);
    if (turn.needsNoAgent) return { result: { reason: "stopped" }, keepAgent: true };
    return { result: await run(agent, context), keepAgent: true };
  } catch (error: unknown) {
    if (!turn.signal.aborted) parts.onError(error, "turn");
    const code = error instanceof AgentStartError ? "AGENT_CRASHED" : "AGENT_FAILED";
    const detail = error instanceof Error ? error.message : String(error);
    // An agent that was waiting for a person has not learned of this.
    const lost = turn.startedBy === "attach" && { isAgentLost: true as const };
    return { result: { reason: "error", code, message: detail, ...lost }, keepAgent: false };
  }
}

/** Writes the beginning of a turn without a message. False when the session is gone. */
export function writeTurnStart(
  { store, log, clock }: Pick<RunTurnParts, "store" | "log" | "clock">,
  live: LiveSession,
  { sessionId, turnId }: RunningTurn,
): Promise<boolean> {
  return live.rowWrites(async () => {
    const stored = await store.getSession(sessionId);
    if (!stored) return false;
    const at = toInstant(clock.now());
    const result = await log.append({
      sessionId,
      events: [{ type: "turn_started", at, turnId }],
      session: toBegun(stored, at),
    });
    return result.status === "appended";
  });
}

/** Moves the message from the queue to the log. False when it is no longer queued. */
function startTurn(
  parts: RunTurnParts,
  live: LiveSession,
  message: StoredMessage,
): Promise<boolean> {
  const { sessionId, turnId } = message;
  return live.rowWrites(async () => {
    const stored = await parts.store.getSession(sessionId);
    if (!stored) return false;
    const at = toInstant(parts.clock.now());
    const title = stored.title === "" ? titleOf(message) : stored.title;
    const delivery = await lateDeliveryOf(parts.store, message, at);
    const events: UnplacedEvent[] = [
      userMessage(message, at),
      { type: "turn_started", at, turnId },
      ...(delivery ? [delivery.event] : []),
      ...(title === stored.title ? [] : [{ type: "session_updated", at, turnId, title } as const]),
    ];
    const result = await parts.log.append({
      sessionId,
      events,
      session: toBegun({ ...stored, title }, at),
      dequeue: [message.messageId],
      ...(delivery && { interactions: [delivery.write] }),
    });
    return result.status === "appended";
  });
}

function titleOf({ content, attachments = [] }: StoredMessage): string {
  const [first]: readonly Attachment[] = attachments;
  return titleFromMessage(content) || titleFromMessage(first?.name ?? "");
}

function userMessage(message: StoredMessage, at: string): UnplacedEvent {
  const { turnId, messageId, content, attachments, origin, interactionId, personId } = message;
  return {
    type: "user_message",
    at,
    turnId,
    messageId,
    content,
    ...(attachments && { attachments }),
    origin,
    ...(personId !== undefined && { personId }),
    ...(interactionId !== undefined && { interactionId }),
  };
}

/** Delivers the response that this message carries, in the same transaction. */
async function lateDeliveryOf(
  store: Store,
  { interactionId, turnId }: StoredMessage,
  at: string,
): Promise<{ event: UnplacedEvent; write: InteractionWrite } | undefined> {
  const stored = interactionId && (await store.getInteraction(interactionId));
  if (!stored) return undefined;
  const next = transition(stored.interaction, { type: "deliver", at, how: "user_message", turnId });
  if (next.status === "refused") return undefined;
  const row = moveRow(stored, next.interaction);
  return { event: next.event, write: { row, expectedStatus: stored.interaction.status } };
}
