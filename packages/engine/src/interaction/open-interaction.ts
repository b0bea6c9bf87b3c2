import {
  interactionSchema,
  ProtocolError,
  type ErrorCode,
  type Interaction,
} from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { allowByGrant, grantHashOfRequest } from "../grants/allow-by-grant.ts";
import { exceedsUtf8Bytes } from "../lib/utf8-length.ts";
import type { HoldRequest, HoldResult } from "../ports/agent-adapter.ts";
import type { StoredInteraction, ToolCallNote } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { createInteraction } from "./create-interaction.ts";
import type { Settlement } from "./waiters.ts";

export interface Asking {
  readonly request: HoldRequest;
  /** Withdraws it when it aborts. */
  readonly signal: AbortSignal;
  /** Default from the gateway's config. */
  readonly endsWithClients?: boolean;
  /** There when a gateway tool asks. */
  readonly tool?: ToolAsking;
}

export interface ToolAsking {
  readonly call: ToolCallNote;
  readonly onTimeout: Interaction["onTimeout"];
}

export interface OpenedInteraction {
  readonly interactionId: string;
  readonly settled: Promise<Settlement>;
}

/** A grant covers it: nobody is asked. */
export type Allowed = Extract<HoldResult, { outcome: "answered" }>;

/** The gateway asks nobody. */
export type Refusal = Extract<HoldResult, { outcome: "withdrawn" }>;

/** Opens an interaction, unless a grant answers it. The order is: registered, stored, published. Never rejects. */
export async function openInteraction(
  core: Core,
  live: LiveSession,
  turn: RunningTurn,
  asking: Asking,
): Promise<OpenedInteraction | Allowed | Refusal> {
  const { request, signal } = asking;
  const isOver = () => turn.closed || turn.signal.aborted || signal.aborted;
  if (isOver()) return refused("The call was cancelled.");
  const allowed = await allowByGrant(core, turn, asking);
  if (allowed) return allowed;
  if (isOver()) return refused("The call was cancelled.");
  const interactionId = core.ids.next("int");
  const onAbort = () => withdrawInBackground(core, turn, interactionId);
  const overLimit = limitReached(core, turn, request);
  if (overLimit) return overLimit;
  turn.hasAsked = true;
  const grantHash = grantHashOfRequest(turn, request);
  const { endsWithClients = core.onDisconnect === "deny" } = asking;
  const wait = { turn, signal, onAbort, endsWithClients, grantHash };
  const settled = core.waiters.register(interactionId, wait);
  const giveUp = (refusal: Refusal): Refusal => {
    core.waiters.settle(interactionId, { status: "withdrawn", reason: refusal.reason });
    core.sessions.refreshStatus(live.sessionId);
    return refusal;
  };
  const waitMs = live.asks.reserve(core.clock.now());
  if (waitMs > 0) {
    const either = AbortSignal.any([turn.signal, signal]);
    // An abort is seen below.
    await core.clock.sleep(waitMs, { signal: either }).catch(() => undefined);
    if (isOver()) return giveUp(refused("The call was cancelled."));
  }
  const refusal = await store(core, turn, interactionId, { ...asking, grantHash });
  if (refusal) return giveUp(refusal);
  core.sessions.refreshStatus(live.sessionId);
  if (isOver()) withdrawInBackground(core, turn, interactionId);
  // A grant that was made since it was looked for knew nothing of this row.
  else if (grantHash !== undefined) core.answerByGrant(interactionId);
  return { interactionId, settled };
}

async function store(
  core: Core,
  turn: RunningTurn,
  interactionId: string,
  { request, tool, grantHash }: Asking & { readonly grantHash: string | undefined },
): Promise<Refusal | undefined> {
  const nowMs = core.clock.now();
  const { sessionId, turnId, agent, cwd } = turn;
  const place = { interactionId, sessionId, turnId, cwd, nowMs, timeoutMs: core.holdTimeoutMs };
  try {
    const asked = createInteraction(request, place);
    const interaction = tool ? toolInteraction(asked, tool) : asked;
    const row: StoredInteraction = {
      interaction,
      ...(tool && { call: tool.call }),
      ...(interaction.approval && { agent }),
      ...(grantHash !== undefined && { grantHash }),
    };
    const result = await core.log.append({
      sessionId,
      events: [{ type: "interaction_request", at: interaction.startedAt, turnId, interaction }],
      interactions: [{ row, expectedStatus: undefined }],
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

/** What people's code asks need not be what its types say; no page could show it then, nor the log that it stands in. */
function toolInteraction(asked: Interaction, { onTimeout }: ToolAsking): Interaction {
  const interaction: Interaction = { ...asked, askedBy: "tool", onTimeout };
  const [issue] = interactionSchema.safeParse(interaction).error?.issues ?? [];
  if (!issue) return interaction;
  const problem = `This cannot be asked: ${issue.path.join(".")}: ${issue.message}`;
  throw new ProtocolError("INVALID_REQUEST", problem);
}

function limitReached(core: Core, turn: RunningTurn, request: HoldRequest): Refusal | undefined {
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

/** Takes it back without waiting for that. */
export function withdrawInBackground(core: Core, turn: RunningTurn, interactionId: string): void {
  const reason = turn.stopRequest?.reason ?? "The agent no longer needs it.";
  turn.writes
    .track(core.withdraw(interactionId, reason))
    .catch((error: unknown) => core.onError(error, "withdraw"));
}

export function refused(reason: string, code?: ErrorCode): Refusal {
  return { outcome: "withdrawn", reason, ...(code && { code }) };
}
