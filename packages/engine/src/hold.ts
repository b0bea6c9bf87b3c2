import { ProtocolError, type ErrorCode } from "@holdpoint/protocol";

import type { Core } from "./core.ts";
import { createInteraction, toInstant } from "./create-interaction.ts";
import type { LiveSession } from "./live-session.ts";
import type { HoldRequest, HoldResult } from "./ports/agent-adapter.ts";
import type { StoredInteraction } from "./ports/store.ts";
import type { RunningTurn } from "./running-turn.ts";
import { refreshStatus } from "./session-status.ts";
import { settle } from "./settle.ts";
import { stopTurn } from "./stop-turn.ts";
import { exceedsUtf8Bytes } from "./utf8-length.ts";
import type { Settlement } from "./waiters.ts";
import { withdraw } from "./withdraw.ts";

type Refused = Extract<HoldResult, { outcome: "withdrawn" }>;
interface Opened {
  readonly interactionId: string;
  readonly settled: Promise<Settlement>;
}

/**
 * Opens an interaction and waits for its end. The order is: registered, stored, published. While it waits,
 * nothing here keeps the request: there may be ten thousand of them.
 */
export function hold(
  core: Core,
  live: LiveSession,
  turn: RunningTurn,
  { request, signal }: { readonly request: HoldRequest; readonly signal: AbortSignal },
): Promise<HoldResult> {
  return turn.writes.track(open(core, live, turn, { request, signal })).then((opened) => {
    if ("outcome" in opened) return opened;
    const { interactionId, settled } = opened;
    return settled.then((settlement) => toResult(core, turn, interactionId, settlement));
  });
}

async function open(
  core: Core,
  live: LiveSession,
  turn: RunningTurn,
  { request, signal }: { readonly request: HoldRequest; readonly signal: AbortSignal },
): Promise<Opened | Refused> {
  const isOver = () => turn.closed || turn.signal.aborted || signal.aborted;
  if (isOver()) return refused("The call was cancelled.");
  const interactionId = core.ids.next("int");
  const onAbort = () => withdrawInBackground(core, turn, interactionId);
  const overLimit = limitReached(core, turn, request);
  if (overLimit) return overLimit;
  turn.hasAsked = true;
  const settled = core.waiters.register(interactionId, { turn, signal, onAbort });
  const giveUp = (refusal: Refused): Refused => {
    core.waiters.settle(interactionId, { status: "withdrawn", reason: refusal.reason });
    refreshStatus(core, live.sessionId);
    return refusal;
  };
  const waitMs = live.asks.reserve(core.clock.now());
  if (waitMs > 0) {
    const either = AbortSignal.any([turn.signal, signal]);
    // An abort is seen below.
    await core.clock.sleep(waitMs, { signal: either }).catch(() => undefined);
    if (isOver()) return giveUp(refused("The call was cancelled."));
  }
  const refusal = await store(core, turn, interactionId, request);
  if (refusal) return giveUp(refusal);
  refreshStatus(core, live.sessionId);
  if (isOver()) withdrawInBackground(core, turn, interactionId);
  return { interactionId, settled };
}

async function store(
  core: Core,
  turn: RunningTurn,
  interactionId: string,
  request: HoldRequest,
): Promise<Refused | undefined> {
  const nowMs = core.clock.now();
  const { sessionId, turnId, cwd } = turn;
  const place = { interactionId, sessionId, turnId, cwd, nowMs, timeoutMs: core.holdTimeoutMs };
  try {
    const interaction = createInteraction(request, place);
    const result = await core.log.append({
      sessionId,
      events: [{ type: "interaction_request", at: interaction.startedAt, turnId, interaction }],
      interactions: [{ row: { interaction }, expectedStatus: undefined }],
    });
    if (result.status === "conflict") return refused("The session is gone.");
    if (interaction.deadlineAt !== undefined && core.waiters.has(interactionId)) {
      core.deadlines.consider(Date.parse(interaction.deadlineAt));
    }
    return undefined;
  } catch (error: unknown) {
    if (ProtocolError.isInstance(error)) return refused(error.message, error.code);
    core.onError(error, "hold");
    return refused("The gateway could not ask anybody.", "STORE_UNAVAILABLE");
  }
}

function limitReached(core: Core, turn: RunningTurn, request: HoldRequest): Refused | undefined {
  const { pendingInAll, pendingPerSession, requestBytes } = core.limits;
  if (core.draining.aborted) return refused("The gateway is stopping.", "DRAINING");
  if (turn.pending.size >= pendingPerSession || core.waiters.size >= pendingInAll) {
    return refused("Too many interactions are waiting.", "TOO_MANY_PENDING");
  }
  if (exceedsUtf8Bytes(JSON.stringify(request), requestBytes)) {
    return refused("The request is too large to be shown.", "TOO_LARGE");
  }
  return undefined;
}

function withdrawInBackground(core: Core, turn: RunningTurn, interactionId: string): void {
  const reason = turn.stopRequest?.reason ?? "The agent no longer needs it.";
  turn.writes
    .track(withdraw(core, interactionId, reason))
    .catch((error: unknown) => core.onError(error, "withdraw"));
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
        if (response.stopTurn) stopTurn(core, turn, "The person denied it and ended the turn.");
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
    case "withdrawn":
      return refused(settlement.reason);
  }
}

/** What an approval lets run: the stored input or the stored edit. */
function inputToRun({ interaction }: StoredInteraction): Record<string, unknown> | undefined {
  const { response, approval } = interaction;
  return response?.action === "approve" ? (response.editedInput ?? approval?.input) : undefined;
}

/** After the turn has ended its response goes another way: then this does nothing. */
async function deliver(core: Core, turn: RunningTurn, stored: StoredInteraction): Promise<void> {
  if (turn.closed) return;
  const at = toInstant(core.clock.now());
  await settle(core, stored, { type: "deliver", at, how: "resumed", turnId: turn.turnId });
}

function refused(reason: string, code?: ErrorCode): Refused {
  return { outcome: "withdrawn", reason, ...(code && { code }) };
}
