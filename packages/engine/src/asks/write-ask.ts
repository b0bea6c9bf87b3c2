import {
  type AskBody,
  drainingError,
  type Interaction,
  interactionSchema,
  namedIn,
  ProtocolError,
} from "@holdpoint/protocol";

import { createInteraction, createSubject } from "../interaction/create-interaction.ts";
import type { Deadlines } from "../interaction/deadlines.ts";
import {
  findResponders,
  type FindRespondersParts,
  narrowRequest,
} from "../interaction/find-responders.ts";
import { limitReached, type LimitParts } from "../interaction/limits.ts";
import { invalidRequest, notFound } from "../lib/errors.ts";
import type { HoldRequest } from "../ports/agent-adapter.ts";
import type { Batch, StoredInteraction } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import { RunningTurn } from "../session/running-turn.ts";
import { toBegun, toEnded } from "../session/stored-session.ts";
import { ToolError } from "../tools/tool-error.ts";
import type { ToolTurnParts } from "../tools/tool-turn.ts";
import { clearTurn } from "../turn/run-turn.ts";
import { toRequest } from "./to-request.ts";

export interface WriteAskParts extends ToolTurnParts, LimitParts, FindRespondersParts {
  readonly store: ToolTurnParts["store"];
  readonly deadlines: Deadlines;
  readonly draining: AbortSignal;
  /** Runs work that queues nothing itself, in a session with nothing running. */
  readonly driveAlone: (live: LiveSession, run: () => Promise<void>) => void;
}

/** An ask on its way into the store. */
export interface Asking {
  readonly body: AskBody;
  /** The name that a person gave the token. */
  readonly tokenName: string;
  readonly interactionId: string;
  /** Equal for asks with the same idempotency key. */
  readonly toolCallId: string;
  /** Digest of the whole request. Reusing the key for a different request is refused. */
  readonly digest: string;
  readonly traceparent: string | undefined;
}

/** Writes an ask into a running turn that it has entered. */
export function writeInTurn(
  parts: WriteAskParts,
  turn: RunningTurn,
  asking: Asking,
): Promise<StoredInteraction> {
  return write(parts, turn, asking, (request) => ({ events: [request] }));
}

/**
 * Writes an ask in an idle session, as its own turn in a single write, so that a crash never leaves the turn open.
 * Resolves to `undefined` when something else has started in the session.
 */
export async function writeAlone(
  parts: WriteAskParts,
  live: LiveSession,
  asking: Asking,
): Promise<StoredInteraction | undefined> {
  if (live.driver) return undefined;
  const written = Promise.withResolvers<StoredInteraction>();
  // Nothing else runs in the session until the ask is written.
  parts.driveAlone(live, () =>
    writeTurn(parts, live, asking).then(written.resolve, written.reject),
  );
  return written.promise;
}

function writeTurn(
  parts: WriteAskParts,
  live: LiveSession,
  asking: Asking,
): Promise<StoredInteraction> {
  const { sessionId } = live;
  return live.rowWrites(async () => {
    if (parts.draining.aborted) throw drainingError();
    const session = await parts.store.getSession(sessionId);
    if (!session || live.deleting) throw notFound("session");
    const { agent, cwd, createdBy } = session;
    const turnId = parts.ids.next("trn");
    const turn = new RunningTurn({ sessionId, turnId, agent, cwd, createdBy, startedBy: "call" });
    live.turn = turn;
    try {
      return await write(parts, turn, asking, (request) => ({
        events: [
          { type: "turn_started", at: request.at, turnId },
          request,
          { type: "turn_ended", at: request.at, turnId, reason: "done" },
        ],
        session: toEnded(toBegun(session, request.at), "done", request.at),
      }));
    } finally {
      clearTurn(parts, live, turn);
    }
  });
}

type RequestEvent = Extract<NonNullable<Batch["events"]>[number], { type: "interaction_request" }>;

async function write(
  parts: WriteAskParts,
  turn: RunningTurn,
  asking: Asking,
  toBatch: (request: RequestEvent) => Pick<Batch, "events" | "session">,
): Promise<StoredInteraction> {
  const { sessionId, turnId } = turn;
  const { asked, row } = await createRow(parts, turn, asking);
  const refusal = limitReached(parts, turn, asked);
  if (refusal) throw new ProtocolError(refusal.code ?? "INTERNAL", refusal.reason);
  using _ = parts.unwritten.add(turn);
  const { interaction } = row;
  const { deadlineAt, startedAt: at } = interaction;
  const result = await parts.log.append({
    sessionId,
    ...toBatch({ type: "interaction_request", at, turnId, interaction }),
    interactions: [{ row, expectedStatus: undefined }],
  });
  if (result.status === "conflict") throw notFound("session");
  if (deadlineAt !== undefined) parts.deadlines.keep(Date.parse(deadlineAt));
  return row;
}

async function createRow(
  parts: WriteAskParts,
  turn: RunningTurn,
  { body, tokenName, interactionId, toolCallId, digest, traceparent }: Asking,
): Promise<{ readonly asked: HoldRequest; readonly row: StoredInteraction }> {
  const { sessionId, turnId, cwd } = turn;
  const read = readRequest(body, { toolCallId, cwd });
  const responders = await findResponders(parts, sessionId, read);
  const asked = narrowRequest(read, responders);
  const subject = createSubject(asked, turn);
  const interaction = assertShowable({
    ...createInteraction(asked, subject, {
      interactionId,
      sessionId,
      turnId,
      nowMs: parts.clock.now(),
      timeoutMs: Infinity,
      responders,
    }),
    // The person's name for the token comes first, since a program may label itself like another one.
    agentId: `${tokenName}: ${body.label}`,
    ...(body.callback && { callbackHost: new URL(body.callback.url).host }),
    // Denied, because a program that has stopped waiting never acts on an answer.
    onTimeout: "deny",
    hold: "kept",
  });
  const row: StoredInteraction = {
    interaction,
    call: { callDigest: digest, step: 0, requestDigest: digest, finished: true },
    ...(traceparent !== undefined && { traceparent }),
    ...(responders && { named: namedIn(responders) }),
  };
  return { asked, row };
}

function readRequest(body: AskBody, place: Parameters<typeof toRequest>[1]): HoldRequest {
  try {
    return toRequest(body, place);
  } catch (error: unknown) {
    if (!ToolError.isInstance(error)) throw error;
    throw new ProtocolError("INVALID_REQUEST", error.message, {}, { cause: error });
  }
}

/** Refuses a request that no page could show, since the log would keep it forever. */
function assertShowable(interaction: Interaction): Interaction {
  const [issue] = interactionSchema.safeParse(interaction).error?.issues ?? [];
  if (issue) throw invalidRequest(issue.path.join("."), issue.message);
  return interaction;
}
