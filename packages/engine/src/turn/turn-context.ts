import type { UnplacedEvent } from "@holdpoint/protocol";

import type { HoldAnswer, HoldEnd } from "../interaction/hold-end.ts";
import type { Hold } from "../interaction/hold.ts";
import type { SettleInteraction } from "../interaction/settle.ts";
import { GatewayError } from "../lib/gateway-error.ts";
import { toInstant } from "../lib/instant.ts";
import { maskSecrets, secretTexts } from "../lib/mask-secrets.ts";
import type { AgentAdapter, AgentEvent, HoldResult, TurnContext } from "../ports/agent-adapter.ts";
import type { AppendResult } from "../ports/store.ts";
import { applyMode, type ApplyModeParts } from "../session/apply-mode.ts";
import { modeThatHolds } from "../session/limited-mode.ts";
import type { LiveSession } from "../session/live-session.ts";
import { keepPictures, type ToldEvent } from "../session/result-pictures.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { changeRow, toRow, type ChangeRowParts } from "../session/stored-session.ts";
import { addUsage } from "./add-usage.ts";
import { confirmAnswers, type ConfirmAnswersParts } from "./confirm-answers.ts";
import type { StopTurn } from "./stop-turn.ts";

/** The agent wrote something after its turn had ended. */
class TurnEndedError extends GatewayError<"TURN_ENDED"> {}

export interface TurnContextParts extends ChangeRowParts, ConfirmAnswersParts, ApplyModeParts {
  readonly agents: ReadonlyMap<string, AgentAdapter>;
  readonly hold: Hold;
  readonly settle: SettleInteraction;
  readonly stopTurn: StopTurn;
}

/** The context that an adapter gets for one turn. When the log cannot be written, the turn is stopped. */
export function createTurnContext(
  parts: TurnContextParts,
  live: LiveSession,
  turn: RunningTurn,
): TurnContext {
  return {
    turnId: turn.turnId,
    signal: turn.signal,
    emit: (event) => unlessEnded(turn, () => emit(parts, turn, event)),
    delta(delta) {
      if (turn.closed) return;
      live.partials.add(turn.turnId, delta);
      live.changes.notify();
    },
    hold: (request, { signal }) =>
      afterPictures(turn, () => parts.hold.ask(turn, { request, signal })).then((end) =>
        toHoldResult(turn, end),
      ),
    permissionModeChanged: (mode) => unlessEnded(turn, () => followMode(parts, live, turn, mode)),
    usesModel: (model) => unlessEnded(turn, () => noteModel(parts, live, turn, model)),
    retrying(isRetrying) {
      if (turn.closed || turn.isRetrying === isRetrying) return;
      turn.isRetrying = isRetrying;
      parts.sessions.refreshStatus(turn.sessionId);
    },
    used(usage) {
      if (!turn.closed) turn.usage = addUsage(turn.usage, usage);
    },
    saveState: (state) => unlessEnded(turn, () => saveState(parts, live, state)),
  };
}

/** Remembers that the agent may not have the answer, until it is delivered. */
function handOver(handedOver: Set<string>, answer: HoldAnswer): HoldAnswer {
  const { interactionId } = answer;
  handedOver.add(interactionId);
  return {
    ...answer,
    async delivered(knowledge) {
      handedOver.delete(interactionId);
      await answer.delivered(knowledge);
    },
  };
}

function toHoldResult({ calls, handedOver }: RunningTurn, end: HoldEnd): HoldResult {
  switch (end.kind) {
    case "answered":
      for (const secret of secretTexts(end.stored.secretValues)) calls.secrets.add(secret);
      return handOver(handedOver, end.answer);
    case "allowed":
      return end.answer;
    case "expired": {
      const { interactionId, takesLateAnswer } = end;
      return { outcome: "expired", interactionId, takesLateAnswer };
    }
    case "queued":
      return { outcome: "withdrawn", reason: "The agent continued without it." };
    case "withdrawn":
      return { outcome: "withdrawn", reason: end.reason };
    case "refused": {
      const { reason, code } = end;
      return { outcome: "withdrawn", reason, ...(code && { code }) };
    }
  }
}

function withPictures(
  { store }: TurnContextParts,
  turn: RunningTurn,
  event: Extract<AgentEvent, { type: "tool_result" }>,
): Promise<ToldEvent> {
  const kept = afterPictures(turn, () => keepPictures(store, turn.sessionId, event));
  turn.pictures = kept;
  return kept;
}

/** Nothing overtakes a result whose pictures are still to be kept. */
function afterPictures<TResult>(
  { pictures }: RunningTurn,
  work: () => Promise<TResult>,
): Promise<TResult> {
  return pictures === undefined ? work() : pictures.then(work);
}

/** Adapters need not await their writes, so a failure must not become an unhandled rejection. */
function unlessEnded(turn: RunningTurn, write: () => Promise<void>): Promise<void> {
  const written = turn.closed
    ? Promise.reject(new TurnEndedError("TURN_ENDED", "The turn has ended."))
    : turn.writes.track(write());
  written.catch(() => undefined);
  return written;
}

async function emit(parts: TurnContextParts, turn: RunningTurn, event: AgentEvent): Promise<void> {
  const { sessionId, turnId } = turn;
  if (event.type === "error") turn.lastError = event;
  if (event.type === "tool_result" && turn.unconfirmed.has(event.toolCallId)) {
    // Outside the log's order. If it fails, the end of the turn reads the agent's record.
    turn.writes.track(confirmAnswers(parts, turn, event.toolCallId)).catch(() => undefined);
  }
  const at = toInstant(parts.clock.now());
  const write = (told: ToldEvent): Promise<AppendResult> =>
    parts.log.append({ sessionId, events: [{ ...withoutSecrets(turn, told), at, turnId }] });
  try {
    const result = await (event.type === "tool_result" && event.pictures
      ? withPictures(parts, turn, event).then(write)
      : afterPictures(turn, () => write(event)));
    if (result.status === "conflict") {
      throw new TurnEndedError("TURN_ENDED", "The session was deleted.");
    }
  } catch (error: unknown) {
    turn.failure ??= error;
    parts.stopTurn(turn, "The log cannot be written.");
    throw error;
  }
}

/** Masks values that a person entered for the agent alone, since a tool's result may repeat them. */
function withoutSecrets({ calls }: RunningTurn, event: ToldEvent): ToldEvent {
  if (event.type !== "tool_result") return event;
  return { ...event, content: maskSecrets(event.content, calls.secrets) };
}

async function saveState(parts: TurnContextParts, live: LiveSession, state: string): Promise<void> {
  await changeRow(parts, live, (row) =>
    row.agentState === state ? undefined : { row: toRow({ ...row, agentState: state }) },
  );
}

/** Records the model under the agent's own name for it, which clients show instead of the name a person chose. */
async function noteModel(
  parts: TurnContextParts,
  live: LiveSession,
  { turnId }: RunningTurn,
  activeModel: string,
): Promise<void> {
  const at = toInstant(parts.clock.now());
  await changeRow(parts, live, (row) =>
    row.activeModel === activeModel
      ? undefined
      : {
          row: toRow({ ...row, activeModel, updatedAt: at }),
          events: [{ type: "session_updated", at, turnId, activeModel }],
        },
  );
}

/**
 * Records the effective mode, which clients show and later changes are compared with. An agent can return to a mode
 * that a person must allow for a limited time, but not enter it on its own.
 */
async function followMode(
  parts: TurnContextParts,
  live: LiveSession,
  turn: RunningTurn,
  permissionMode: string,
): Promise<void> {
  const { turnId } = turn;
  const now = parts.clock.now();
  const at = toInstant(now);
  const info = await parts.agents.get(turn.agent)?.describe({ signal: turn.signal });
  let isRefused = false;
  await changeRow(parts, live, (row) => {
    const { limitedMode } = row;
    const mode = info ? modeThatHolds(info, { ...row, permissionMode }, now) : permissionMode;
    isRefused = mode !== permissionMode;
    if (row.permissionMode === mode) return undefined;
    const change = { permissionMode: mode, ...(limitedMode && { limitedMode }) };
    const event: UnplacedEvent = { type: "session_updated", at, turnId, ...change };
    return { row: toRow({ ...row, ...change, updatedAt: at }), events: [event] };
  });
  if (isRefused) void parts.background.track(applyMode(parts, live.sessionId));
}
