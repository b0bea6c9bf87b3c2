import { isQueued, takesLateAnswer } from "@holdpoint/protocol";

import { inputToRun } from "../interaction/hold.ts";
import { lateMessageKey } from "../interaction/late-response-message.ts";
import {
  openInteraction,
  withdrawInBackground,
  type Allowed,
} from "../interaction/open-interaction.ts";
import { settlementOf } from "../interaction/settle.ts";
import type { Settlement } from "../interaction/waiters.ts";
import { secretTexts } from "../lib/mask-secrets.ts";
import type { HoldRequest } from "../ports/agent-adapter.ts";
import type { StoredInteraction } from "../ports/store.ts";
import { queueInteraction } from "./deliver.ts";
import type { InteractionRequest, PersonResponse } from "./interaction-request.ts";
import { requestDigestOf, toHoldRequest, type Round } from "./to-hold-request.ts";
import { ToolError } from "./tool-error.ts";
import type { ToolRun } from "./tool-run.ts";

/** How one round ended, unless it ended the request. */
export type RoundEnd =
  | {
      readonly kind: "answered";
      readonly interactionId: string;
      readonly stored: StoredInteraction;
      readonly response: PersonResponse;
    }
  | {
      readonly kind: "timed_out";
      readonly interactionId: string;
      /** A late answer reaches the agent as a message. */
      readonly takesLateAnswer: boolean;
    }
  /** A person has approved it before, so nobody was asked. */
  | { readonly kind: "allowed"; readonly response: PersonResponse }
  /** The call has to end as queued. */
  | { readonly kind: "queued" };

/** Which round of which request of the handler it is. */
export interface AskedRound {
  readonly step: number;
  readonly round: Round;
}

const nobodyWords = "Nobody who could answer is connected.";

/**
 * Asks, and waits for the end of it; a round that an earlier run of the call has asked is not asked again. Rejects with
 * a `ToolError` when there will be no answer.
 */
export async function playRound(
  run: ToolRun,
  request: InteractionRequest<never>,
  asked: AskedRound,
): Promise<RoundEnd> {
  const { toolName, toolCallId, args } = run;
  const { cwd } = run.turn;
  const holdRequest = toHoldRequest({ toolName, toolCallId, args, cwd }, request, asked.round);
  const requestDigest = requestDigestOf(holdRequest);
  const known = run.replay.find(asked.step, asked.round.attempt);
  if (known && known.call?.requestDigest !== requestDigest) throw mismatch(run);
  const recorded = known && (await replayRound(run, request, known));
  return recorded ?? openRound(run, request, { ...asked, holdRequest, requestDigest });
}

function mismatch(run: ToolRun): ToolError {
  const detail = `The tool ${run.toolName} was run again for the same call and asked something else than before. A handler must ask the same in the same order.`;
  const error = run.fail(new ToolError("REPLAY_MISMATCH", detail));
  run.core.onError(error, "tool");
  return error;
}

/** What became of a round that was asked before; `undefined` when it has to be asked again. */
async function replayRound(
  run: ToolRun,
  request: InteractionRequest<never>,
  known: StoredInteraction,
): Promise<RoundEnd | undefined> {
  const { interaction } = known;
  const { interactionId, sessionId, status } = interaction;
  run.asked.add(interactionId);
  switch (status) {
    case "delivered":
      // What was secret is gone with its delivery.
      return interaction.response?.redacted?.length ? undefined : toAnswered(run, known);
    case "answered":
    case "pending": {
      const isSaid = await run.core.store.findMessage(sessionId, lateMessageKey(interactionId));
      if (isSaid || isQueued(interaction)) return { kind: "queued" };
      return takeUp(run, request, known);
    }
    case "expired":
      return { kind: "timed_out", interactionId, takesLateAnswer: takesLateAnswer(interaction) };
    case "orphaned":
      return takesLateAnswer(interaction) ? { kind: "queued" } : undefined;
    case "withdrawn":
      return undefined;
  }
}

/** Waits for what an earlier run has asked and nobody has taken. */
async function takeUp(
  run: ToolRun,
  request: InteractionRequest<never>,
  { interaction: { interactionId }, grantHash }: StoredInteraction,
): Promise<RoundEnd> {
  const { core, turn, calls, withdrawal } = run;
  calls.adopted.add(interactionId);
  turn.hasAsked = true;
  const onAbort = () => withdrawInBackground(core, turn, interactionId);
  const settled = core.waiters.register(interactionId, {
    turn,
    signal: withdrawal,
    onAbort,
    endsWithClients: endsWithClients(run, request),
    grantHash,
  });
  core.unclaimed.claim(interactionId);
  const stored = await core.store.getInteraction(interactionId);
  const deadlineAt = stored?.interaction.deadlineAt;
  if (stored?.interaction.status !== "pending" || isQueued(stored.interaction)) {
    const gone: Settlement = { status: "withdrawn", reason: "The session is gone." };
    core.waiters.settle(interactionId, stored ? settlementOf(stored) : gone);
  } else if (withdrawal.aborted) onAbort();
  else if (deadlineAt !== undefined) core.deadlines.consider(Date.parse(deadlineAt));
  core.sessions.refreshStatus(run.live.sessionId);
  return wait(run, request, { interactionId, settled });
}

async function openRound(
  run: ToolRun,
  request: InteractionRequest<never>,
  asked: AskedRound & { readonly holdRequest: HoldRequest; readonly requestDigest: string },
): Promise<RoundEnd> {
  const { core, live, turn, callDigest } = run;
  const { step, holdRequest, requestDigest } = asked;
  await assertRoom(run);
  run.throwIfEnded();
  const opened = await turn.writes.track(
    openInteraction(core, live, turn, {
      request: holdRequest,
      signal: run.withdrawal,
      endsWithClients: endsWithClients(run, request),
      tool: {
        call: { callDigest, step, requestDigest },
        onTimeout: request.onTimeout ? "handler" : (request.onTimeoutPolicy ?? "wait"),
      },
    }),
  );
  if (!("outcome" in opened)) {
    run.asked.add(opened.interactionId);
    return wait(run, request, opened);
  }
  if (opened.outcome === "answered") return toAllowed(opened);
  if (run.end) return cancelled(run, request);
  const { reason, code } = opened;
  const isTold = code === "DRAINING" || code === "INVALID_REQUEST";
  throw new ToolError(isTold ? code : "INTERACTION_REFUSED", reason);
}

/** Queued ones wait without a turn, so they are counted in the store. */
async function assertRoom({ core, live }: ToolRun): Promise<void> {
  const query = { statuses: ["pending"], sessionId: live.sessionId } as const;
  if ((await core.store.countInteractions(query)) >= core.limits.pendingPerSession) {
    throw new ToolError("INTERACTION_REFUSED", "Too many interactions are waiting.");
  }
}

function endsWithClients({ core }: ToolRun, { onDisconnect }: InteractionRequest<never>): boolean {
  return (onDisconnect ?? core.onDisconnect) === "deny";
}

async function wait(
  run: ToolRun,
  request: InteractionRequest<never>,
  opened: { readonly interactionId: string; readonly settled: Promise<Settlement> },
): Promise<RoundEnd> {
  const { core } = run;
  const { interactionId, settled } = opened;
  using _ =
    request.whenUnavailable === "wait"
      ? undefined
      : core.availability.unlessSomebodyComes(() => giveUp(run, interactionId));
  run.waiting.add(interactionId);
  try {
    if (run.isFinishing) queueInteraction(run, interactionId);
    return await toEnd(run, request, interactionId, await settled);
  } finally {
    run.waiting.delete(interactionId);
  }
}

function giveUp({ core, turn }: ToolRun, interactionId: string): void {
  turn.writes
    .track(core.withdraw(interactionId, nobodyWords))
    .catch((error: unknown) => core.onError(error, "tool"));
}

async function toEnd(
  run: ToolRun,
  request: InteractionRequest<never>,
  interactionId: string,
  settlement: Settlement,
): Promise<RoundEnd> {
  switch (settlement.status) {
    case "answered":
      return toAnswered(run, settlement.stored);
    case "expired":
      return {
        kind: "timed_out",
        interactionId,
        takesLateAnswer: settlement.takesLateAnswer,
      };
    case "queued":
      // At its deadline it is queued, too: until the handler has decided.
      return request.onTimeout && !run.isFinishing
        ? { kind: "timed_out", interactionId, takesLateAnswer: false }
        : { kind: "queued" };
    case "withdrawn":
      if (run.end) return cancelled(run, request);
      if (run.core.draining.aborted) throw new ToolError("DRAINING", settlement.reason);
      throw new ToolError("INTERACTION_UNAVAILABLE", settlement.reason);
  }
}

/** Tells the handler that the call was cancelled while it waited; a gateway that stops cancels nothing. */
async function cancelled(run: ToolRun, { onCancel }: InteractionRequest<never>): Promise<never> {
  try {
    if (run.end?.kind === "cancelled" && run.end.error.code !== "DRAINING") await onCancel?.();
  } catch (error: unknown) {
    run.core.onError(error, "tool");
  }
  run.throwIfEnded();
  throw new ToolError("INTERACTION_CANCELLED", "The call was cancelled.");
}

function toAllowed({ interactionId, response, input }: Allowed): RoundEnd {
  const { action, approvalScope } = response;
  return {
    kind: "allowed",
    response: {
      interactionId,
      action,
      ...(approvalScope && { approvalScope }),
      ...(input && { input }),
    },
  };
}

function toAnswered(run: ToolRun, stored: StoredInteraction): RoundEnd {
  const { interactionId, response, by, approval } = stored.interaction;
  if (!response) throw new TypeError("The interaction has no response.");
  const { action, approvalScope, answers, reply, reason } = response;
  const input = approval && inputToRun(stored);
  const values = response.values && { ...response.values, ...stored.secretValues };
  for (const secret of secretTexts(stored.secretValues)) run.calls.secrets.add(secret);
  return {
    kind: "answered",
    interactionId,
    stored,
    response: {
      interactionId,
      action,
      ...(approvalScope && { approvalScope }),
      ...(input && { input }),
      ...(answers && { answers }),
      ...(reply !== undefined && { reply }),
      ...(values && { values }),
      ...(reason !== undefined && { reason }),
      ...(by && { by }),
    },
  };
}
