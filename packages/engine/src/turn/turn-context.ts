import type { UnplacedEvent } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { hold } from "../interaction/hold.ts";
import { GatewayError } from "../lib/gateway-error.ts";
import { toInstant } from "../lib/instant.ts";
import { maskSecrets } from "../lib/mask-secrets.ts";
import type { AgentEvent, TurnContext } from "../ports/agent-adapter.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { changeRow, toRow } from "../session/stored-session.ts";

/** What an agent calls after its turn has ended comes too late. */
class TurnEndedError extends GatewayError<"TURN_ENDED"> {}

/** What an adapter gets for one turn. When the log cannot be written, the turn is stopped. */
export function createTurnContext(core: Core, live: LiveSession, turn: RunningTurn): TurnContext {
  return {
    turnId: turn.turnId,
    signal: turn.signal,
    emit: (event) => unlessEnded(turn, () => emit(core, turn, event)),
    delta(delta) {
      if (turn.closed) return;
      live.partials.add(turn.turnId, delta);
      live.changes.notify();
    },
    hold: (request, { signal }) => hold(core, live, turn, { request, signal }),
    permissionModeChanged: (mode) => unlessEnded(turn, () => followMode(core, live, turn, mode)),
    saveState: (state) => unlessEnded(turn, () => saveState(core, live, state)),
  };
}

/** Adapters need not await what they write, so its failure must not become an unhandled rejection. */
function unlessEnded(turn: RunningTurn, write: () => Promise<void>): Promise<void> {
  const written = turn.closed
    ? Promise.reject(new TurnEndedError("TURN_ENDED", "The turn has ended."))
    : turn.writes.track(write());
  written.catch(() => undefined);
  return written;
}

async function emit(core: Core, turn: RunningTurn, event: AgentEvent): Promise<void> {
  const { sessionId, turnId } = turn;
  if (event.type === "error") turn.lastError = event;
  const placed: UnplacedEvent = {
    ...withoutSecrets(turn, event),
    at: toInstant(core.clock.now()),
    turnId,
  };
  try {
    const result = await core.log.append({ sessionId, events: [placed] });
    if (result.status === "conflict") {
      throw new TurnEndedError("TURN_ENDED", "The session was deleted.");
    }
  } catch (error: unknown) {
    turn.failure ??= error;
    core.stopTurn(turn, "The log cannot be written.");
    throw error;
  }
}

/** A tool's result may repeat what a person entered for the agent alone. */
function withoutSecrets({ calls }: RunningTurn, event: AgentEvent): AgentEvent {
  if (event.type !== "tool_result" || !calls) return event;
  return { ...event, content: maskSecrets(event.content, calls.secrets) };
}

async function saveState(core: Core, live: LiveSession, state: string): Promise<void> {
  await changeRow(core, live, (row) =>
    row.agentState === state ? undefined : { row: toRow({ ...row, agentState: state }) },
  );
}

/** What a client shows, and what a later change is compared with, is the mode that holds. */
async function followMode(
  core: Core,
  live: LiveSession,
  turn: RunningTurn,
  permissionMode: string,
): Promise<void> {
  const at = toInstant(core.clock.now());
  const event: UnplacedEvent = { type: "session_updated", at, turnId: turn.turnId, permissionMode };
  await changeRow(core, live, (row) =>
    row.permissionMode === permissionMode
      ? undefined
      : { row: toRow({ ...row, permissionMode, updatedAt: at }), events: [event] },
  );
}
