import { interactionSchema, namedIn, ProtocolError, type Interaction } from "@holdpoint/protocol";

import {
  allowByGrant,
  grantHashOfRequest,
  type AllowByGrantParts,
} from "../grants/allow-by-grant.ts";
import type { HoldRequest } from "../ports/agent-adapter.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store, StoredInteraction, ToolCallNote } from "../ports/store.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { createInteraction, createSubject, type InteractionSubject } from "./create-interaction.ts";
import { findResponders, type FindRespondersParts, narrowRequest } from "./find-responders.ts";
import { refused, type HoldEnd, type Refusal } from "./hold-end.ts";
import { lateMessageKey } from "./late-response-message.ts";
import { limitReached, type LimitParts } from "./limits.ts";
import { registerWait, withdrawInBackground } from "./register-wait.ts";
import { findAsked, resumeWait, type ResumeWaitParts } from "./resume-wait.ts";

/** A request of an agent or a tool, with the options of its requester. */
export interface Asking {
  readonly request: HoldRequest;
  /** Aborting withdraws the interaction, unless `isOver` returns false. */
  readonly signal: AbortSignal;
  /** Whether the requester no longer needs an answer. Default: `signal` has aborted. */
  readonly isOver?: () => boolean;
  /** Whether to withdraw it when every client that may answer has left. Default: the gateway's config. */
  readonly endsWithClients?: boolean;
  /** Called once the interaction is stored and published, if a person is asked. */
  readonly onPending?: (interactionId: string) => void;
  /** Default: true, unless the request has its own time limit. */
  readonly canBeParked?: boolean;
  /** Set when a gateway tool asks. */
  readonly tool?: {
    readonly call: ToolCallNote;
    readonly onTimeout: Interaction["onTimeout"];
    readonly traceparent: string | undefined;
  };
}

export interface OpenInteractionParts
  extends ResumeWaitParts, AllowByGrantParts, LimitParts, FindRespondersParts {
  readonly store: Store;
  readonly ids: Ids;
  readonly holdTimeoutMs: number;
  readonly onError: (error: unknown, where: string) => void;
  readonly draining: AbortSignal;
  /** Starts watching whether someone who may answer it is available. */
  readonly watchClients: (sessionId: string, interactionId: string) => void;
  /** Answers the interaction in the background, if a grant covers it. */
  readonly answerByGrant: (interactionId: string) => void;
}

const CANCELLED = "The call was cancelled.";

/**
 * Opens an interaction, unless it is already open, a grant answers it, or the gateway refuses to ask. Calls `end` once:
 * with the answer, the refusal, or the end of the wait for a person. Never rejects.
 */
export async function openInteraction(
  parts: OpenInteractionParts,
  turn: RunningTurn,
  asked: Asking,
  end: (end: HoldEnd) => void,
): Promise<void> {
  const { signal, isOver: isAskerOver = () => signal.aborted } = asked;
  const isOver = (): boolean => turn.closed || turn.signal.aborted || isAskerOver();
  try {
    if (isOver()) return end(refused(CANCELLED));
    const finding = findResponders(parts, turn.sessionId, asked.request);
    const responders = finding && (await finding);
    const request = narrowRequest(asked.request, responders);
    const asking = { ...asked, request, responders };
    const subject = createSubject(request, turn);
    if (await isAskedAgain(parts, turn, { ...asking, subject, isOver, end })) return;
    const grantHash = grantHashOfRequest(turn, request);
    const answer =
      request.kind === "approval" && subject.approval
        ? await allowByGrant(parts, turn, {
            request,
            cwd: subject.approval.cwd,
            digest: subject.approval.digest,
            responders,
            grantHash,
            isOver,
          })
        : undefined;
    if (answer) return end({ kind: "allowed", answer });
    // Nothing is awaited between this line and the registration, so the next request counts this one.
    const refusal = isOver() ? refused(CANCELLED) : limitReached(parts, turn, request);
    if (refusal) return end(refusal);
    await askPerson(parts, turn, { ...asking, subject, grantHash, isOver, end });
  } catch (error: unknown) {
    end(refusalOf(parts, error));
  }
}

interface SubjectAsking extends Asking {
  /** Who may answer; `undefined`: everyone with the role. */
  readonly responders: Interaction["responders"];
  readonly subject: InteractionSubject;
  readonly isOver: () => boolean;
  readonly end: (end: HoldEnd) => void;
}

interface PreparedAsking extends SubjectAsking {
  readonly grantHash: string | undefined;
}

/** Takes up an interaction that the agent opened before it was restarted or attached. False when the request is new. */
async function isAskedAgain(
  parts: OpenInteractionParts,
  turn: RunningTurn,
  { request, subject, tool, ...taking }: SubjectAsking,
): Promise<boolean> {
  if (!turn.asksAgain || tool || parts.draining.aborted) return false;
  const known = await findAsked(parts.store, turn, request, subject);
  if (!known) return false;
  const { interactionId } = known.interaction;
  turn.takenUp.add(interactionId);
  const isSentOn = await parts.store.findMessage(turn.sessionId, lateMessageKey(known.interaction));
  if (isSentOn) taking.end({ kind: "queued", interactionId });
  else await resumeWait(parts, turn, withRequest(known, request), taking);
  return true;
}

/** Sets the new request id: a restarted agent asks with another request. */
function withRequest(stored: StoredInteraction, { requestId }: HoldRequest): StoredInteraction {
  return requestId === undefined ? stored : { ...stored, requestId };
}

/** Registers, stores and publishes the interaction, in this order. */
async function askPerson(
  parts: OpenInteractionParts,
  turn: RunningTurn,
  asking: PreparedAsking,
): Promise<void> {
  const { grantHash, isOver, end } = asking;
  turn.hasAsked = true;
  const interactionId = parts.ids.next("int");
  registerWait(parts, turn, { ...asking, interactionId });
  const unwritten = parts.unwritten.add(turn);
  const refusal = await keepPace(parts, turn, asking.signal)
    .then(() => (isOver() ? refused(CANCELLED) : write(parts, turn, interactionId, asking)))
    .catch((error: unknown) => refusalOf(parts, error))
    .finally(() => unwritten[Symbol.dispose]());
  if (refusal) {
    // Before the wait is settled, since only the first end counts.
    end(refusal);
    parts.waiters.settle(interactionId, { status: "withdrawn", reason: refusal.reason });
    parts.sessions.refreshStatus(turn.sessionId);
    return;
  }
  parts.sessions.refreshStatus(turn.sessionId);
  if (isOver()) withdrawInBackground(parts, turn, interactionId);
  // A grant made since the look-up could not answer this interaction yet.
  else if (grantHash !== undefined && parts.knownGrants.mayHave(grantHash)) {
    parts.answerByGrant(interactionId);
  }
  if (parts.waiters.endsWithClients(interactionId)) {
    parts.watchClients(turn.sessionId, interactionId);
  }
  asking.onPending?.(interactionId);
  const { canBeParked = asking.request.timeoutMs === undefined } = asking;
  if (canBeParked && parts.waiters.has(interactionId)) parts.considerParking(turn, interactionId);
}

/** Waits until the session's rate limit allows another request, or until either signal aborts. */
async function keepPace(
  { sessions, clock }: OpenInteractionParts,
  turn: RunningTurn,
  signal: AbortSignal,
): Promise<void> {
  const waitMs = sessions.peek(turn.sessionId)?.asks.reserve(clock.monotonic()) ?? 0;
  if (waitMs <= 0) return;
  const either = AbortSignal.any([turn.signal, signal]);
  // The caller checks for an abort after the wait.
  await clock.sleep(waitMs, { signal: either }).catch(() => undefined);
}

/** Stores and publishes the interaction. */
async function write(
  parts: OpenInteractionParts,
  turn: RunningTurn,
  interactionId: string,
  asking: PreparedAsking,
): Promise<Refusal | undefined> {
  const { request, responders, subject, tool } = asking;
  const { sessionId, turnId, agent } = turn;
  const place = {
    interactionId,
    sessionId,
    turnId,
    nowMs: parts.clock.now(),
    timeoutMs: parts.holdTimeoutMs,
    ...(responders && { responders }),
  };
  const asked = createInteraction(request, subject, place);
  const interaction = tool
    ? checked({ ...asked, askedBy: "tool", onTimeout: tool.onTimeout })
    : asked;
  const row = toRow(interaction, asking, agent);
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

function toRow(
  interaction: Interaction,
  { request, responders, tool, grantHash }: PreparedAsking,
  agent: string,
): StoredInteraction {
  return {
    interaction,
    ...(tool && { call: tool.call }),
    ...(tool?.traceparent !== undefined && { traceparent: tool.traceparent }),
    ...(request.requestId !== undefined && { requestId: request.requestId }),
    ...(interaction.approval && { agent }),
    ...(grantHash !== undefined && { grantHash }),
    ...(responders && { named: namedIn(responders) }),
  };
}

/** Throws for a tool's request that does not match its types: no page could show it, nor the log that contains it. */
function checked(interaction: Interaction): Interaction {
  const [issue] = interactionSchema.safeParse(interaction).error?.issues ?? [];
  if (!issue) return interaction;
  const problem = `This cannot be asked: ${issue.path.join(".")}: ${issue.message}`;
  throw new ProtocolError("INVALID_REQUEST", problem);
}

function refusalOf({ onError }: OpenInteractionParts, error: unknown): Refusal {
  if (ProtocolError.isInstance(error)) return refused(error.message, error.code);
  onError(error, "hold");
  return refused("The gateway could not ask anyone.", "STORE_UNAVAILABLE");
}
