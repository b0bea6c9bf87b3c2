import { interactionSchema, ProtocolError, type Interaction } from "@holdpoint/protocol";

import {
  allowByGrant,
  grantHashOfRequest,
  type AllowByGrantParts,
} from "../grants/allow-by-grant.ts";
import { exceedsUtf8Bytes } from "../lib/utf8-length.ts";
import type { HoldRequest } from "../ports/agent-adapter.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store, StoredInteraction, ToolCallNote } from "../ports/store.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { createInteraction, createSubject, type InteractionSubject } from "./create-interaction.ts";
import type { Deadlines } from "./deadlines.ts";
import { holdEndOf, refused, type HoldEnd, type HoldEndParts, type Refusal } from "./hold-end.ts";
import type { Waiters } from "./waiters.ts";
import type { WithdrawInteraction } from "./withdraw.ts";

/** A request of an agent or a tool, with what it needs to know of its asker. */
export interface Asking {
  readonly request: HoldRequest;
  /** The interaction is withdrawn when it aborts, unless `isOver` says otherwise. */
  readonly signal: AbortSignal;
  /** Whether the asker needs no answer any more. Default: `signal` has aborted. */
  readonly isOver?: () => boolean;
  /** Withdraw it when every client that may answer has left. Default from the gateway's config. */
  readonly endsWithClients?: boolean;
  /** There when a gateway tool asks. */
  readonly tool?: {
    readonly call: ToolCallNote;
    readonly onTimeout: Interaction["onTimeout"];
  };
}

export interface Opened {
  /** Absent when nobody is asked: then the end is there already. */
  readonly interactionId?: string;
  readonly ended: Promise<HoldEnd>;
}

export interface OpenInteractionParts extends HoldEndParts, AllowByGrantParts {
  readonly store: Store;
  readonly ids: Ids;
  readonly sessions: LiveSessions;
  readonly waiters: Waiters;
  readonly deadlines: Deadlines;
  readonly limits: {
    readonly pendingPerSession: number;
    readonly pendingInAll: number;
    /** UTF-8 bytes of one request as JSON. */
    readonly requestBytes: number;
  };
  readonly holdTimeoutMs: number;
  readonly onDisconnect: "wait" | "deny";
  readonly withdraw: WithdrawInteraction;
  /** Answers the interaction in the background, if a grant covers it. */
  readonly answerByGrant: (interactionId: string) => void;
}

const CANCELLED = "The call was cancelled.";

/** Opens an interaction, unless a grant answers it or the gateway refuses to ask. Never rejects. */
export async function openInteraction(
  parts: OpenInteractionParts,
  turn: RunningTurn,
  asking: Asking,
): Promise<Opened> {
  const { request, signal, isOver: isAskerOver = () => signal.aborted } = asking;
  const isOver = (): boolean => turn.closed || turn.signal.aborted || isAskerOver();
  try {
    if (isOver()) return ended(refused(CANCELLED));
    const subject = createSubject(request, turn);
    const grantHash = grantHashOfRequest(turn, request);
    const { sessionId } = turn;
    const [answer, stored] = await Promise.all([
      request.kind === "approval" && subject.approval
        ? allowByGrant(parts, turn, { request, digest: subject.approval.digest, grantHash, isOver })
        : undefined,
      parts.store.countInteractions({ statuses: ["pending"], sessionId }),
    ]);
    if (answer) return ended({ kind: "allowed", answer });
    // Nothing is awaited between this and the registration: the next request counts this one.
    const overLimit = limitReached(parts, turn, { request, stored });
    if (overLimit) return ended(overLimit);
    return await ask(parts, turn, { ...asking, subject, grantHash, isOver });
  } catch (error: unknown) {
    return ended(refusalOf(parts, error));
  }
}

interface PreparedAsking extends Asking, WaitOptions {
  readonly subject: InteractionSubject;
  readonly isOver: () => boolean;
}

/** The order is: registered, stored, published. */
async function ask(
  parts: OpenInteractionParts,
  turn: RunningTurn,
  asking: PreparedAsking,
): Promise<Opened> {
  const { grantHash, isOver } = asking;
  if (isOver()) return ended(refused(CANCELLED));
  turn.hasAsked = true;
  const interactionId = parts.ids.next("int");
  const end = registerWait(parts, turn, interactionId, asking);
  const refusal = await keepPace(parts, turn, asking.signal)
    .then(() => (isOver() ? refused(CANCELLED) : write(parts, turn, interactionId, asking)))
    .catch((error: unknown) => refusalOf(parts, error));
  if (refusal) {
    parts.waiters.settle(interactionId, { status: "withdrawn", reason: refusal.reason });
    parts.sessions.refreshStatus(turn.sessionId);
    return ended(refusal);
  }
  parts.sessions.refreshStatus(turn.sessionId);
  if (isOver()) withdrawInBackground(parts, turn, interactionId);
  // A grant that was made after the look-up did not know of this interaction.
  else if (grantHash !== undefined && parts.knownGrants.mayHave(grantHash)) {
    parts.answerByGrant(interactionId);
  }
  return { interactionId, ended: end };
}

function ended(end: HoldEnd): Opened {
  return { ended: Promise.resolve(end) };
}

/** What ends a wait beside a response. */
export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Whether the wait is over when `signal` has aborted. */
  readonly isOver: () => boolean;
  readonly endsWithClients?: boolean;
  readonly grantHash: string | undefined;
}

/** Registers the wait for an interaction. Keeps the interaction's id, not its request. */
export function registerWait(
  parts: OpenInteractionParts,
  turn: RunningTurn,
  interactionId: string,
  { signal, isOver, endsWithClients, grantHash }: WaitOptions,
): Promise<HoldEnd> {
  const { promise, resolve } = Promise.withResolvers<HoldEnd>();
  parts.waiters.register(interactionId, {
    turn,
    end: (settlement) => resolve(holdEndOf(parts, turn, interactionId, settlement)),
    endsWithClients: endsWithClients ?? parts.onDisconnect === "deny",
    grantHash,
    // A turn that is stopped withdraws its interactions itself.
    ...(signal !== turn.signal && {
      signal,
      onAbort: () => {
        if (isOver()) withdrawInBackground(parts, turn, interactionId);
      },
    }),
  });
  return promise;
}

/** Waits until the session may ask again, or until either signal aborts. */
async function keepPace(
  { sessions, clock }: OpenInteractionParts,
  turn: RunningTurn,
  signal: AbortSignal,
): Promise<void> {
  const waitMs = sessions.peek(turn.sessionId)?.asks.reserve(clock.now()) ?? 0;
  if (waitMs <= 0) return;
  const either = AbortSignal.any([turn.signal, signal]);
  // Whether it was aborted is looked at after the wait.
  await clock.sleep(waitMs, { signal: either }).catch(() => undefined);
}

/** Stores the interaction and publishes it. */
async function write(
  parts: OpenInteractionParts,
  turn: RunningTurn,
  interactionId: string,
  { request, subject, tool, grantHash }: PreparedAsking,
): Promise<Refusal | undefined> {
  const { sessionId, turnId, agent } = turn;
  const place = {
    interactionId,
    sessionId,
    turnId,
    nowMs: parts.clock.now(),
    timeoutMs: parts.holdTimeoutMs,
  };
  const asked = createInteraction(request, subject, place);
  const interaction = tool
    ? checked({ ...asked, askedBy: "tool", onTimeout: tool.onTimeout })
    : asked;
  const row: StoredInteraction = {
    interaction,
    ...(tool && { call: tool.call }),
    ...(interaction.approval && { agent }),
    ...(grantHash !== undefined && { grantHash }),
  };
  const result = await parts.log.append({
    sessionId,
    events: [{ type: "interaction_request", at: interaction.startedAt, turnId, interaction }],
    interactions: [{ row, expectedStatus: undefined }],
  });
  if (result.status === "conflict") return refused("The session is gone.");
  if (interaction.deadlineAt !== undefined && parts.waiters.has(interactionId)) {
    parts.deadlines.consider(Date.parse(interaction.deadlineAt));
  }
  return undefined;
}

/** A tool's request need not be what its types say; then no page could show it, nor the log that it is in. */
function checked(interaction: Interaction): Interaction {
  const [issue] = interactionSchema.safeParse(interaction).error?.issues ?? [];
  if (!issue) return interaction;
  const problem = `This cannot be asked: ${issue.path.join(".")}: ${issue.message}`;
  throw new ProtocolError("INVALID_REQUEST", problem);
}

/**
 * Why nothing more may be asked now. The store counts the pending interactions of the session, also those that are queued
 * without a turn; only the turn counts those that are not stored yet.
 */
function limitReached(
  { waiters, limits, draining }: OpenInteractionParts,
  { pending }: RunningTurn,
  { request, stored }: { readonly request: HoldRequest; readonly stored: number },
): Refusal | undefined {
  if (draining.aborted) return refused("The gateway is stopping.", "DRAINING");
  if (exceedsUtf8Bytes(JSON.stringify(request), limits.requestBytes)) {
    return refused("The request is too large to be shown.", "TOO_LARGE");
  }
  const isFull =
    Math.max(stored, pending.size) >= limits.pendingPerSession ||
    waiters.size >= limits.pendingInAll;
  return isFull ? refused("Too many interactions are pending.", "TOO_MANY_PENDING") : undefined;
}

function refusalOf({ onError }: OpenInteractionParts, error: unknown): Refusal {
  if (ProtocolError.isInstance(error)) return refused(error.message, error.code);
  onError(error, "hold");
  return refused("The gateway could not ask anybody.", "STORE_UNAVAILABLE");
}

/** Withdraws an interaction; its turn waits for that before it ends. */
export function withdrawInBackground(
  { withdraw, onError }: Pick<OpenInteractionParts, "withdraw" | "onError">,
  turn: RunningTurn,
  interactionId: string,
): void {
  const reason = turn.stopRequest?.reason ?? "The agent no longer needs it.";
  turn.writes
    .track(withdraw(interactionId, reason))
    .catch((error: unknown) => onError(error, "withdraw"));
}
