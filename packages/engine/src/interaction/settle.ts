import {
  addedTo,
  type InteractionEffect,
  type InteractionInput,
  type InteractionRefusal,
  type InteractionTransition,
  isHolding,
  isLate,
  isParked,
  isQueued,
  namedIn,
  needOf,
  takesLateAnswer,
  transition,
} from "@holdpoint/protocol";

import { grantChangesOf, NO_CHANGES, type GrantChanges } from "../grants/grant-changes.ts";
import type { MakeGrantParts } from "../grants/make-grant.ts";
import type { BackgroundTasks } from "../lib/background-tasks.ts";
import { CONFLICT, retryConflicts } from "../lib/retry-conflicts.ts";
import { RETRY_MS } from "../lib/retry-until-done.ts";
import type { AssumedGrants, StoredGrant } from "../ports/grant-store.ts";
import type {
  AppendConflict,
  Batch,
  InteractionWrite,
  Store,
  StoredInteraction,
} from "../ports/store.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import type { SessionLog } from "../session/session-log.ts";
import { allowedBy, createLateMessage } from "./late-response-message.ts";
import type { Undoable, UndoWindows } from "./undo-window.ts";
import type { Settlement, Waiters } from "./waiters.ts";

export interface SettleParts extends MakeGrantParts {
  readonly log: SessionLog;
  readonly sessions: LiveSessions;
  readonly waiters: Waiters;
  readonly undoWindows: UndoWindows;
  /** Runs the session's queue, which has a message with the response, or an agent to restart for it. */
  readonly kickQueue: (sessionId: string) => void;
  /** Answers all pending interactions that are covered by a grant with this hash. */
  readonly answerWaiting: (grantHash: string) => void;
  readonly store: Store;
  readonly background: BackgroundTasks;
  readonly draining: AbortSignal;
}

export type SettleResult =
  | { readonly status: "moved"; readonly stored: StoredInteraction }
  | {
      readonly status: "refused";
      readonly reason: InteractionRefusal;
      /** The row for which the input was refused. */
      readonly stored: StoredInteraction;
    }
  /** The session was deleted, the grant that would answer was revoked, or a rule was added in the meantime. */
  | { readonly status: "gone" };

/** Data that is stored with a response and never shown. */
export interface Confidential {
  readonly responseKey?: string | undefined;
  readonly secretValues?: Readonly<Record<string, unknown>> | undefined;
}

/** Conditions that must still hold when the change is written. */
export interface SettleGuards {
  readonly guards?: readonly AssumedGrants[];
  /** The effects of the response that reopening takes back. */
  readonly takesBack?: Undoable;
}

/**
 * Moves one interaction to another status. Compare-and-set in the transaction that appends its event decides: of any
 * number of concurrent calls at most one moves it from a status. Then ends its wait, or queues the message
 * with a late response. `stored` may be outdated, since the row in the store decides. Rejects when the store fails.
 */
export type SettleInteraction = (
  stored: StoredInteraction,
  input: InteractionInput,
  also?: Confidential & SettleGuards,
) => Promise<SettleResult>;

export function createSettlement(parts: SettleParts): SettleInteraction {
  return async (stored, input, { guards = [], takesBack, ...confidential } = {}) => {
    let current = stored;
    return retryConflicts<SettleResult>(async () => {
      const next = transition(current.interaction, withUndo(input, current));
      if (next.status === "refused") return { ...next, stored: current };
      const move = movementOf(parts, current, next, { input, confidential, guards, takesBack });
      const result = await parts.log.append(move.batch).catch((error: unknown) => {
        void parts.background.track(endWaitIfMoved(parts, current.interaction));
        throw error;
      });
      if (result.status === "appended") {
        if (move.made) parts.answerWaiting(move.made.keyHash);
        const undoMs = openWindow(parts, current, move);
        if (next.effect && undoMs === 0) carryOut(parts, move.stored, next.effect);
        parts.sessions.refreshStatus(move.stored.interaction.sessionId);
        return { status: "moved", stored: move.stored };
      }
      const newer = newerRow(result.conflict, takesBack !== undefined);
      if (!newer) return { status: "gone" };
      current = newer;
      return CONFLICT;
    });
  };
}

/**
 * Removes the undo time where a response cannot be taken back. A response for more calls may already have answered
 * others, and the call of a gateway tool may come again and find the response.
 */
function withUndo(
  input: InteractionInput,
  { interaction, call }: StoredInteraction,
): InteractionInput {
  if (input.type !== "respond") return input;
  const { approvalScope = "once" } = input.response;
  // No single person takes back an approval by several people.
  const isOwn = needOf(interaction) === 1;
  const canUndo = isOwn && approvalScope === "once" && (!call || isParked(interaction));
  return canUndo ? input : { ...input, undoMs: undefined };
}

/**
 * Opens the window for taking a response back, and returns its length. The response's effect follows when the window
 * closes.
 */
function openWindow(
  { clock, undoWindows, draining }: SettleParts,
  { interaction: before }: StoredInteraction,
  { stored, batch, made }: Movement,
): number {
  const { interactionId, sessionId, status, undoUntil } = stored.interaction;
  const { status: was } = before;
  if (status !== "answered" || (was !== "pending" && !isLate(was))) return 0;
  if (undoUntil === undefined || draining.aborted) return 0;
  const undoMs = Date.parse(undoUntil) - clock.now();
  if (undoMs <= 0) return 0;
  const messageId = batch.enqueue?.[0]?.messageId;
  const grantId = made?.grant.grantId;
  const isEnded = isParked(before);
  undoWindows.open(
    { interactionId, sessionId, before: was, isParked: isEnded, messageId, grantId },
    undoMs,
  );
  return undoMs;
}

interface Movement {
  readonly stored: StoredInteraction;
  readonly batch: Batch;
  /** The grant that the response creates. */
  readonly made: StoredGrant | undefined;
}

/** The row after the transition, and everything written together with it. */
function movementOf(
  parts: SettleParts,
  current: StoredInteraction,
  { interaction, event, effect }: Extract<InteractionTransition, { status: "moved" }>,
  cause: {
    readonly input: InteractionInput;
    readonly confidential: Confidential;
    readonly guards: readonly AssumedGrants[];
    readonly takesBack: Undoable | undefined;
  },
): Movement {
  const { input, takesBack } = cause;
  const isLate = effect === "queue_message";
  const isVote = event.type === "interaction_vote";
  // The key of a vote is not the key of a response.
  const confidential = isVote ? {} : confidentialOf(current, cause, isLate);
  const stored = moveRow(current, interaction, confidential);
  const changes = input.type === "respond" ? grantChangesOf(parts, stored, { isLate }) : NO_CHANGES;
  const { made } = changes;
  const revoked = revocationOf(input, takesBack);
  const batch: Batch = {
    sessionId: interaction.sessionId,
    events: [event, ...changes.events, ...revoked.events],
    grants: [...cause.guards, ...changes.grants, ...revoked.grants],
    interactions: [writeOf(stored, current)],
    ...(isLate && {
      enqueue: [createLateMessage(parts, interaction, { allows: allowedBy(made) })],
    }),
    ...(takesBack?.messageId !== undefined && { dequeue: [takesBack.messageId] }),
  };
  return { stored, batch, made };
}

/** Revokes the grant for one call that the response has created. */
function revocationOf(input: InteractionInput, takesBack: Undoable | undefined): GrantChanges {
  const { grantId } = takesBack ?? {};
  if (input.type !== "reopen" || grantId === undefined) return NO_CHANGES;
  const { by } = input;
  return {
    events: [{ type: "grant_revoked", at: by.at, grantId, by }],
    grants: [{ type: "remove", grantId }],
  };
}

function confidentialOf(
  { secretValues }: StoredInteraction,
  {
    input,
    confidential,
  }: { readonly input: InteractionInput; readonly confidential: Confidential },
  isLate: boolean,
): Confidential {
  // Messages carry no secrets, and a late response reaches the agent as a message.
  if (isLate) return { responseKey: confidential.responseKey };
  // No one has received the response yet.
  return input.type === "park" || input.type === "hold" ? { secretValues } : confidential;
}

/** The row as another write has left it; `undefined` when there is nothing left to settle. */
function newerRow(conflict: AppendConflict, isTakenBack: boolean): StoredInteraction | undefined {
  switch (conflict.kind) {
    case "interaction":
      return conflict.current;
    case "grant":
    case "no_session":
      return undefined;
    case "message":
      if (isTakenBack) return undefined;
      throw new Error("A response conflicts with a message.");
    case "attachment":
      throw new Error("A response carries no files.");
  }
}

/** Writes the row if it has not changed since it was read. */
function writeOf(row: StoredInteraction, { interaction }: StoredInteraction): InteractionWrite {
  const { status, hold } = interaction;
  const mustHold = status === "pending" || row.interaction.reopenings !== interaction.reopenings;
  const expectedAdded = addedTo(interaction);
  return { row, expectedStatus: status, expectedAdded, ...(mustHold && { expectedHold: hold }) };
}

/**
 * The row after a transition. Secrets last until the next one: delivering a response, or giving up on it, deletes them
 * in the same write.
 */
export function moveRow(
  { responseKey, call, agent, grantHash, leftOverview, traceparent, requestId }: StoredInteraction,
  interaction: StoredInteraction["interaction"],
  confidential: Confidential = {},
): StoredInteraction {
  const key = confidential.responseKey ?? responseKey;
  const { secretValues } = confidential;
  const named = namedIn(interaction.responders);
  return {
    interaction,
    ...(named && { named }),
    ...(key !== undefined && { responseKey: key }),
    ...(secretValues && { secretValues }),
    ...(call && { call }),
    ...(agent !== undefined && { agent }),
    ...(grantHash !== undefined && { grantHash }),
    ...(leftOverview && { leftOverview }),
    ...(traceparent !== undefined && { traceparent }),
    ...(requestId !== undefined && { requestId }),
  };
}

function carryOut(
  { waiters, sessions, kickQueue }: SettleParts,
  stored: StoredInteraction,
  effect: InteractionEffect,
): void {
  const { interactionId, sessionId } = stored.interaction;
  switch (effect) {
    case "wake":
      waiters.settle(interactionId, settlementOf(stored));
      // A turn continued from a previous gateway counts it before its agent has asked again.
      sessions.peek(sessionId)?.turn?.pending.delete(interactionId);
      return;
    case "resume":
    case "queue_message":
      kickQueue(sessionId);
      return;
  }
}

/**
 * A write may succeed although the store reported a failure. Reads the row until the store responds, and ends the wait
 * of an interaction that is no longer held. Otherwise its agent would wait forever.
 */
async function endWaitIfMoved(
  parts: SettleParts,
  { interactionId, sessionId }: StoredInteraction["interaction"],
): Promise<void> {
  const { store, waiters, clock, draining } = parts;
  while (!draining.aborted && waiters.has(interactionId)) {
    await clock.sleep(RETRY_MS, { signal: draining }).catch(() => undefined);
    const found = await store.getInteraction(interactionId).then(
      (stored) => ({ stored }),
      () => undefined, // the store does not respond yet
    );
    if (!found) continue;
    const { stored } = found;
    if (!stored || isHolding(stored.interaction)) return;
    waiters.settle(interactionId, settlementOf(stored));
    parts.sessions.refreshStatus(sessionId);
  }
}

/** How an agent's wait for this interaction has ended. */
export function settlementOf(stored: StoredInteraction): Settlement {
  const { interaction } = stored;
  const { status, response, closedReason: reason = "Withdrawn." } = interaction;
  switch (status) {
    case "pending":
      return isQueued(interaction) ? { status: "queued", stored } : { status: "withdrawn", reason };
    case "answered":
      return response ? { status, response, stored } : { status: "withdrawn", reason };
    case "expired":
      return { status, takesLateAnswer: takesLateAnswer(interaction) };
    case "orphaned":
      return takesLateAnswer(interaction)
        ? { status: "queued", stored }
        : { status: "withdrawn", reason };
    case "delivered":
    case "withdrawn":
      return { status: "withdrawn", reason };
  }
}
