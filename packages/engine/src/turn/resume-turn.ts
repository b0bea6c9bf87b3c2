import { lateMessageKey } from "../interaction/late-response-message.ts";
import type { TurnResult } from "../ports/agent-adapter.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import { RunningTurn } from "../session/running-turn.ts";
import { playTurn, writeTurnStart, type RunTurnParts } from "./run-turn.ts";

export interface ResumeTurnParts extends RunTurnParts {
  readonly ids: Ids;
}

const CANNOT_RESUME: TurnResult = {
  reason: "error",
  code: "AGENT_FAILED",
  message: "This agent cannot be started again at a tool call.",
};

/** The first interaction that was answered while parked and whose answer has reached no agent yet. */
export async function nextResume(
  store: Store,
  sessionId: string,
): Promise<StoredInteraction | undefined> {
  for (const stored of await store.listResuming(sessionId)) {
    const key = lateMessageKey(stored.interaction);
    if (!(await store.findMessage(sessionId, key))) return stored;
  }
  return undefined;
}

/**
 * Restarts the agent at the tool call that asked, in a turn without a message. The agent asks again and gets the
 * answer. If it does not ask, the end of the turn sends the answer as a message.
 */
export async function resumeTurn(
  parts: ResumeTurnParts,
  live: LiveSession,
  { interaction: { interactionId, toolCallId } }: StoredInteraction,
): Promise<void> {
  const { sessionId } = live;
  const stored = await parts.store.getSession(sessionId);
  if (!stored) return;
  const { agent, cwd, createdBy } = stored;
  const turnId = parts.ids.next("trn");
  const turn = new RunningTurn({ sessionId, turnId, agent, cwd, createdBy, startedBy: "resume" });
  turn.resumes = interactionId;
  turn.hasAsked = true;
  turn.calls.adopted.add(interactionId);
  await playTurn(parts, live, turn, {
    begin: () => writeTurnStart(parts, live, turn),
    run: async (session, context) =>
      session.resumeTurn ? session.resumeTurn(toolCallId, context) : CANNOT_RESUME,
  });
}
