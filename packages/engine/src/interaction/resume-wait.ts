import { isParked, isQueued, isResuming } from "@holdpoint/protocol";

import { toInstant } from "../lib/instant.ts";
import type { HoldRequest } from "../ports/agent-adapter.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { InteractionSubject } from "./create-interaction.ts";
import type { Deadlines } from "./deadlines.ts";
import {
  registerWait,
  withdrawInBackground,
  type RegisterWaitParts,
  type WaitOptions,
} from "./register-wait.ts";
import { settlementOf } from "./settle.ts";
import { shownDigestOf } from "./shown-digest.ts";
import type { UnclaimedInteractions } from "./unclaimed-interactions.ts";

export interface ResumeWaitParts extends RegisterWaitParts {
  readonly store: Store;
  readonly sessions: LiveSessions;
  readonly deadlines: Deadlines;
  readonly unclaimed: UnclaimedInteractions;
  /** Parks the agent if no one answers for a while. */
  readonly considerParking: (turn: RunningTurn, interactionId: string) => void;
}

export interface ResumedWait extends Omit<WaitOptions, "interactionId" | "grantHash"> {
  readonly onPending?: ((interactionId: string) => void) | undefined;
}

/**
 * The open interaction that a continuing agent asked about before with this request, unless another request has taken
 * it up. An agent restarted at a call asks only about that call. Tool call ids do not distinguish requests.
 */
export async function findAsked(
  store: Pick<Store, "listToolCallInteractions">,
  turn: RunningTurn,
  request: HoldRequest,
  subject: InteractionSubject,
): Promise<StoredInteraction | undefined> {
  const rows = await store.listToolCallInteractions(turn.sessionId, request.toolCallId);
  const digest = shownDigestOf(subject);
  return rows.findLast((stored) => {
    const { call, interaction } = stored;
    const { status, toolName, kind, agentId } = interaction;
    const isOpen = (status === "pending" && !isQueued(interaction)) || status === "answered";
    const isSame =
      toolName === request.toolName && kind === request.kind && agentId === request.agentId;
    const mayBeTaken = !call && isOpen && isSame && isByRequest(turn, stored, request);
    return mayBeTaken && shownDigestOf(interaction) === digest;
  });
}

function isByRequest(
  { resumes, startedBy, takenUp }: RunningTurn,
  { interaction: { interactionId }, requestId }: StoredInteraction,
  request: HoldRequest,
): boolean {
  if (takenUp.has(interactionId)) return false;
  if (startedBy === "resume") return interactionId === resumes;
  return requestId === undefined || requestId === request.requestId;
}

/**
 * Waits in this turn for an interaction that was opened in an earlier run of its agent or by a previous gateway. If it
 * has been answered, the wait ends at once. Rejects when the store fails; the wait has ended then.
 */
export async function resumeWait(
  parts: ResumeWaitParts,
  turn: RunningTurn,
  { interaction: { interactionId }, grantHash, requestId }: StoredInteraction,
  taking: ResumedWait,
): Promise<void> {
  turn.calls.adopted.add(interactionId);
  turn.unasked.delete(interactionId);
  turn.hasAsked = true;
  registerWait(parts, turn, { ...taking, interactionId, grantHash });
  parts.unclaimed.claim(interactionId);
  try {
    await catchUp(parts, turn, { interactionId, requestId, isOver: taking.isOver });
  } catch (error: unknown) {
    parts.waiters.settle(interactionId, { status: "withdrawn", reason: "The store failed." });
    throw error;
  }
  parts.sessions.refreshStatus(turn.sessionId);
  taking.onPending?.(interactionId);
}

interface AskedAgain {
  readonly interactionId: string;
  readonly requestId: string | undefined;
}

/** Ends the wait at once if the interaction is no longer pending. */
async function catchUp(
  parts: ResumeWaitParts,
  turn: RunningTurn,
  { isOver, ...asked }: AskedAgain & { readonly isOver: () => boolean },
): Promise<void> {
  const { interactionId } = asked;
  const stored = await heldAgain(parts, asked);
  if (!stored) {
    parts.waiters.settle(interactionId, { status: "withdrawn", reason: "The session is gone." });
    return;
  }
  const { status, deadlineAt } = stored.interaction;
  if (status !== "pending" || isQueued(stored.interaction)) {
    parts.waiters.settle(interactionId, settlementOf(stored));
    return;
  }
  if (isOver()) return withdrawInBackground(parts, turn, interactionId);
  if (deadlineAt === undefined) parts.considerParking(turn, interactionId);
  else parts.deadlines.consider(Date.parse(deadlineAt));
}

/**
 * The current interaction, held if it was parked. This is written before an answer is handed over, so an answered
 * interaction that is still parked has certainly reached no agent.
 */
async function heldAgain(
  { store, clock, settle }: ResumeWaitParts,
  { interactionId, requestId }: AskedAgain,
): Promise<StoredInteraction | undefined> {
  const stored = await store.getInteraction(interactionId);
  if (!stored || !(isParked(stored.interaction) || isResuming(stored.interaction))) return stored;
  const asked = requestId === undefined ? stored : { ...stored, requestId };
  const result = await settle(asked, { type: "hold", at: toInstant(clock.now()) });
  return result.status === "gone" ? undefined : result.stored;
}
