import { isHolding } from "@holdpoint/protocol";

import { lateMessageKey } from "../interaction/late-response-message.ts";
import type { UnclaimedInteractions } from "../interaction/unclaimed-interactions.ts";
import type { AgentSession, TurnContext, TurnMessage, TurnResult } from "../ports/agent-adapter.ts";
import type { LiveSession } from "../session/live-session.ts";
import { RunningTurn } from "../session/running-turn.ts";
import { listOpenInteractions } from "./close-interactions.ts";
import { confirmAnswers } from "./confirm-answers.ts";
import { playTurn, type RunTurnParts } from "./run-turn.ts";
import { STOPPED, type StopTurn } from "./stop-turn.ts";
import { readAgentEvents, readTurnMessage } from "./turn-log.ts";

export interface AttachTurnParts extends RunTurnParts {
  readonly unclaimed: UnclaimedInteractions;
  readonly stopTurn: StopTurn;
}

/** A turn of a previous gateway. */
export interface LeftTurn {
  readonly turnId: string;
  /** A person has stopped it, but its agent may not know. */
  readonly isStopped: boolean;
}

/** How long an agent that was taken over has to repeat its pending requests. */
const ASK_AGAIN_MS = 30_000;
/** How long an agent that has not repeated them has to end. */
const END_MS = 10_000;

const CANNOT_ATTACH: TurnResult = {
  reason: "error",
  code: "AGENT_CRASHED",
  message: "This agent cannot be taken over.",
  isAgentLost: true,
};

const SILENT_AGENT: TurnResult = {
  reason: "error",
  code: "AGENT_CRASHED",
  message: "The agent did not repeat the request it was waiting for, so it was ended.",
  isAgentLost: true,
};

/**
 * Continues a turn that a previous gateway began, without writing its beginning again. The agent's open requests are
 * pending from the start, and are taken up when the agent repeats them.
 */
export async function attachTurn(
  parts: AttachTurnParts,
  live: LiveSession,
  { turnId, isStopped }: LeftTurn,
): Promise<void> {
  const { sessionId } = live;
  const stored = await parts.store.getSession(sessionId);
  if (!stored) return;
  const { agent, cwd, createdBy } = stored;
  const turn = new RunningTurn({ sessionId, turnId, agent, cwd, createdBy, startedBy: "attach" });
  turn.hasAsked = true;
  const asked = await adoptOpenInteractions(parts, turn);
  if (isStopped) parts.stopTurn(turn, STOPPED);
  try {
    await playTurn(parts, live, turn, {
      begin: async () => true,
      run: (session, context) => attach(parts, turn, { session, context, asked }),
    });
  } finally {
    parts.unclaimed.forget(sessionId);
  }
}

/**
 * Adopts the turn's open interactions. Pending ones have to be asked again; the agent may already have the answers to
 * the others. Resolves to the tool calls that were asked about, by the agent's request ids.
 */
async function adoptOpenInteractions(
  { store }: AttachTurnParts,
  turn: RunningTurn,
): Promise<ReadonlyMap<string, string>> {
  const asked = new Map<string, string>();
  for (const stored of await listOpenInteractions(store, turn)) {
    const { interactionId, toolCallId } = stored.interaction;
    if (stored.requestId !== undefined) asked.set(stored.requestId, toolCallId);
    if (await store.findMessage(turn.sessionId, lateMessageKey(stored.interaction))) continue;
    if (isHolding(stored.interaction)) {
      turn.pending.add(interactionId);
      turn.unasked.add(interactionId);
    } else {
      turn.unconfirmed.add(toolCallId, interactionId);
    }
  }
  return asked;
}

interface Attaching {
  readonly session: AgentSession;
  readonly context: TurnContext;
  readonly asked: ReadonlyMap<string, string>;
}

/**
 * Attaches the agent. An agent that does not repeat its pending requests is ended, so that its interactions can be
 * answered in another way.
 */
async function attach(
  parts: AttachTurnParts,
  turn: RunningTurn,
  { session, context, asked }: Attaching,
): Promise<TurnResult> {
  const { store, clock, onError } = parts;
  if (!session.attachTurn) return CANNOT_ATTACH;
  const told = await readAgentEvents(store, turn);
  // The previous gateway may have ended between the result and its delivery.
  for (const event of told) {
    if (event.type === "tool_result") await confirmAnswers(parts, turn, event.toolCallId);
  }
  let isSilent = false;
  using stack = new DisposableStack();
  const giveUp = (): void => {
    if (turn.unasked.size === 0) return;
    isSilent = true;
    session.park?.().catch((error: unknown) => onError(error, "attach"));
    stack.use(clock.after(END_MS, () => turn.force({ result: SILENT_AGENT, keepAgent: false })));
  };
  stack.use(clock.after(ASK_AGAIN_MS, giveUp));
  const readMessage = (): Promise<TurnMessage | undefined> => readTurnMessage(store, turn);
  const result = await session.attachTurn(context, { told, asked, readMessage });
  return isSilent ? SILENT_AGENT : result;
}
