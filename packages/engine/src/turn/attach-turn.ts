import { isHolding } from "@holdpoint/protocol";

import type { Unclaimed } from "../interaction/unclaimed.ts";
import type { TurnResult } from "../ports/agent-adapter.ts";
import type { LiveSession } from "../session/live-session.ts";
import { RunningTurn } from "../session/running-turn.ts";
import { listOpenInteractions } from "./close-interactions.ts";
import { playTurn, type RunTurnParts } from "./run-turn.ts";

export interface AttachTurnParts extends RunTurnParts {
  readonly unclaimed: Unclaimed;
}

const CANNOT_ATTACH: TurnResult = {
  reason: "error",
  code: "AGENT_CRASHED",
  message: "This agent cannot be taken over.",
  isAgentLost: true,
};

/**
 * Goes on with a turn that a gateway before this one began: nothing is written for its beginning. What its agent waits for is
 * pending from the start, and is taken up when the agent asks again.
 */
export async function attachTurn(
  parts: AttachTurnParts,
  live: LiveSession,
  turnId: string,
): Promise<void> {
  const { sessionId } = live;
  const stored = await parts.store.getSession(sessionId);
  if (!stored) return;
  const { agent, cwd } = stored;
  const turn = new RunningTurn({ sessionId, turnId, agent, cwd, startedBy: "attach" });
  turn.hasAsked = true;
  const open = await listOpenInteractions(parts.store, turn);
  for (const { interaction } of open) {
    if (isHolding(interaction)) turn.pending.add(interaction.interactionId);
    else turn.untaken.set(interaction.toolCallId, interaction.interactionId);
  }
  try {
    await playTurn(parts, live, turn, {
      begin: async () => true,
      run: async (session, context) =>
        session.attachTurn ? session.attachTurn(context) : CANNOT_ATTACH,
    });
  } finally {
    for (const { interaction } of open) parts.unclaimed.claim(interaction.interactionId);
  }
}
