import type { Core } from "../gateway/core.ts";
import { toInstant } from "../lib/instant.ts";
import type { HoldResult } from "../ports/agent-adapter.ts";
import type { StoredInteraction } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { openInteraction, refused, type Asking } from "./open-interaction.ts";
import type { Settlement } from "./waiters.ts";

/** Opens an interaction and waits for its end. While it waits, nothing here keeps the request: there may be ten thousand of them. */
export function hold(
  core: Core,
  live: LiveSession,
  turn: RunningTurn,
  asking: Asking,
): Promise<HoldResult> {
  return turn.writes.track(openInteraction(core, live, turn, asking)).then((opened) => {
    if ("outcome" in opened) return opened;
    const { interactionId, settled } = opened;
    return settled.then((settlement) => toResult(core, turn, interactionId, settlement));
  });
}

function toResult(
  core: Core,
  turn: RunningTurn,
  interactionId: string,
  settlement: Settlement,
): HoldResult {
  switch (settlement.status) {
    case "answered": {
      const { response, stored } = settlement;
      const input = inputToRun(stored);
      const values = response.values && { ...response.values, ...stored.secretValues };
      const delivered = async () => {
        await turn.writes.track(deliver(core, turn, stored));
        if (response.stopTurn) core.stopTurn(turn, "The person denied it and ended the turn.");
      };
      return {
        outcome: "answered",
        interactionId,
        response,
        ...(input && { input }),
        ...(values && { values }),
        delivered,
      };
    }
    case "expired":
      return {
        outcome: "expired",
        interactionId,
        takesLateAnswer: settlement.takesLateAnswer,
      };
    case "queued":
      return refused("The agent went on without it.");
    case "withdrawn":
      return refused(settlement.reason);
  }
}

/** What an approval lets run: the stored input or the stored edit. */
export function inputToRun({
  interaction,
}: StoredInteraction): Record<string, unknown> | undefined {
  const { response, approval } = interaction;
  return response?.action === "approve" ? (response.editedInput ?? approval?.input) : undefined;
}

/** After the turn has ended its response goes another way: then this does nothing. */
async function deliver(core: Core, turn: RunningTurn, stored: StoredInteraction): Promise<void> {
  if (turn.closed) return;
  const at = toInstant(core.clock.now());
  await core.settle(stored, { type: "deliver", at, how: "resumed", turnId: turn.turnId });
}
