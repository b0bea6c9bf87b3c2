import {
  type Ask,
  type AskBody,
  type Caller,
  type Interaction,
  interactionSchema,
  namedIn,
  ProtocolError,
} from "@holdpoint/protocol";

import { assertAgentLabel } from "../credentials/agent-label.ts";
import { createInteraction, createSubject } from "../interaction/create-interaction.ts";
import type { Deadlines } from "../interaction/deadlines.ts";
import {
  findResponders,
  type FindRespondersParts,
  narrowRequest,
} from "../interaction/find-responders.ts";
import { limitReached, type LimitParts } from "../interaction/limits.ts";
import { hashOf } from "../lib/digest.ts";
import { invalidRequest, notFound } from "../lib/errors.ts";
import type { AgentAdapter, HoldRequest } from "../ports/agent-adapter.ts";
import type { Ids } from "../ports/ids.ts";
import type { StoredInteraction } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { ToolError } from "../tools/tool-error.ts";
import { joinTurn, type ToolTurnParts } from "../tools/tool-turn.ts";
import { askingSession } from "./own-ask.ts";
import { showAsk, type ShowAskParts } from "./show-ask.ts";
import { toRequest } from "./to-request.ts";

/** Asks that come faster than the session may ask wait at most so long for their turn. */
const MOST_WAIT_MS = 10_000;

export interface CreateAskParts
  extends ToolTurnParts, LimitParts, ShowAskParts, FindRespondersParts {
  readonly store: ToolTurnParts["store"];
  readonly ids: Ids;
  readonly agents: ReadonlyMap<string, AgentAdapter>;
  readonly deadlines: Deadlines;
  readonly draining: AbortSignal;
}

/** An ask on its way into the store. */
interface Asking {
  readonly body: AskBody;
  /** The name that a person gave the token. */
  readonly tokenName: string;
  readonly interactionId: string;
  /** The same for the same key. */
  readonly toolCallId: string;
  /** Over all that was asked: the same key with another one is refused. */
  readonly digest: string;
  readonly traceparent: string | undefined;
}

/**
 * Opens an interaction for a program, in its token's session. It belongs to no running call: no end of a turn, a process or
 * a gateway withdraws it. Resolves once it is stored.
 */
export async function createAsk(
  parts: CreateAskParts,
  caller: Caller,
  body: AskBody,
): Promise<Ask> {
  const sessionId = askingSession(caller);
  assertAgentLabel(body.label, caller.person);
  await assertPassive(parts, sessionId);
  const { idempotencyKey, ...asked } = body;
  const interactionId = parts.ids.next("int");
  const toolCallId = idempotencyKey === undefined ? interactionId : hashOf(["ask", idempotencyKey]);
  const asking = {
    body,
    tokenName: caller.client,
    interactionId,
    toolCallId,
    digest: hashOf(asked),
    traceparent: caller.traceparent,
  };
  const stored = await parts.sessions.use(sessionId, (live) =>
    // One after the other: two asks with the same key are one.
    live.asking(() => findOrAsk(parts, live, asking)),
  );
  return showAsk(parts, stored);
}

/** An agent that the gateway runs asks by its tools: its turns and its record know nothing of asks. */
async function assertPassive({ store, agents }: CreateAskParts, sessionId: string): Promise<void> {
  const session = await store.getSession(sessionId);
  if (!session) throw notFound("session");
  if (agents.get(session.agent)?.isPassive) return;
  throw new ProtocolError("FORBIDDEN", "Only a program that somebody else starts can ask so.");
}

async function findOrAsk(
  parts: CreateAskParts,
  live: LiveSession,
  asking: Asking,
): Promise<StoredInteraction> {
  const { toolCallId, digest, body, interactionId } = asking;
  const [known] = await parts.store.listToolCallInteractions(live.sessionId, toolCallId);
  if (!known) {
    const write = (): Promise<StoredInteraction> => ask(parts, live, asking);
    const { url } = body.callback ?? {};
    if (url === undefined) return write();
    const problem = parts.callbacks.refuses(url);
    if (problem !== undefined) throw invalidRequest("callback.url", problem);
    return parts.callbacks.hold({ interactionId, url }, write);
  }
  if (known.call?.callDigest === digest) return known;
  throw new ProtocolError("KEY_REUSED", "Something else was asked with this key.");
}

async function ask(
  parts: CreateAskParts,
  live: LiveSession,
  asking: Asking,
): Promise<StoredInteraction> {
  await keepPace(parts, live);
  const call = {
    isGivenUp: false,
    signal: parts.draining,
    cancel: () => undefined,
    suspend: () => undefined,
    letGo: () => undefined,
  };
  const turn = await joinTurn(parts, live, call);
  if (!turn) throw notFound("session");
  try {
    return await write(parts, turn, asking);
  } finally {
    turn.calls.leave(call);
  }
}

/** Waits until the session may ask again. Rejects with `RATE_LIMITED` when too many wait before it. */
async function keepPace({ clock, draining }: CreateAskParts, { asks }: LiveSession): Promise<void> {
  const waitMs = asks.reserve(clock.monotonic());
  if (waitMs > MOST_WAIT_MS) {
    const detail = "The program asks more often than a person could answer.";
    throw new ProtocolError("RATE_LIMITED", detail, { retryAfterMs: MOST_WAIT_MS });
  }
  if (waitMs > 0) await clock.sleep(waitMs, { signal: draining }).catch(() => undefined);
}

async function write(
  parts: CreateAskParts,
  turn: RunningTurn,
  { body, tokenName, interactionId, toolCallId, digest, traceparent }: Asking,
): Promise<StoredInteraction> {
  const { sessionId, turnId, cwd } = turn;
  const asked = readRequest(body, { toolCallId, cwd });
  const responders = await findResponders(parts, sessionId, asked);
  const request = narrowRequest(asked, responders);
  const subject = createSubject(request, turn);
  const refusal = limitReached(parts, turn, request);
  if (refusal) throw new ProtocolError(refusal.code ?? "INTERNAL", refusal.reason);
  using _ = parts.unwritten.add(turn);
  const interaction = assertShowable({
    ...createInteraction(request, subject, {
      interactionId,
      sessionId,
      turnId,
      nowMs: parts.clock.now(),
      timeoutMs: Infinity,
      responders,
    }),
    // The person's name for it first: what a program calls itself may be what another is called.
    agentId: `${tokenName}: ${body.label}`,
    ...(body.callback && { callbackHost: new URL(body.callback.url).host }),
    // Who has stopped waiting never acts on an answer.
    onTimeout: "deny",
    hold: "kept",
  });
  const row: StoredInteraction = {
    interaction,
    call: { callDigest: digest, step: 0, requestDigest: digest, finished: true },
    ...(traceparent !== undefined && { traceparent }),
    ...(responders && { named: namedIn(responders) }),
  };
  const { deadlineAt, startedAt: at } = interaction;
  const result = await parts.log.append({
    sessionId,
    events: [{ type: "interaction_request", at, turnId, interaction }],
    interactions: [{ row, expectedStatus: undefined }],
  });
  if (result.status === "conflict") throw notFound("session");
  if (deadlineAt !== undefined) parts.deadlines.keep(Date.parse(deadlineAt));
  return row;
}

function readRequest(body: AskBody, place: Parameters<typeof toRequest>[1]): HoldRequest {
  try {
    return toRequest(body, place);
  } catch (error: unknown) {
    if (!ToolError.isInstance(error)) throw error;
    throw new ProtocolError("INVALID_REQUEST", error.message, {}, { cause: error });
  }
}

/** What no page could show would stand in the log for ever. */
function assertShowable(interaction: Interaction): Interaction {
  const [issue] = interactionSchema.safeParse(interaction).error?.issues ?? [];
  if (issue) throw invalidRequest(issue.path.join("."), issue.message);
  return interaction;
}
