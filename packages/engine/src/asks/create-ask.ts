import { type Ask, type AskBody, type Caller, ProtocolError } from "@holdpoint/protocol";

import { assertAgentLabel } from "../credentials/agent-label.ts";
import { hashOf } from "../lib/digest.ts";
import { invalidRequest, notFound } from "../lib/errors.ts";
import type { AgentAdapter } from "../ports/agent-adapter.ts";
import type { StoredInteraction } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import { enterTurn } from "../tools/tool-turn.ts";
import { askingSession } from "./own-ask.ts";
import { showAsk, type ShowAskParts } from "./show-ask.ts";
import { type Asking, writeAlone, type WriteAskParts, writeInTurn } from "./write-ask.ts";

/** The longest that an ask may be delayed by the session's rate limit. Asks beyond that are refused. */
const MOST_WAIT_MS = 10_000;

export interface CreateAskParts extends ShowAskParts, WriteAskParts {
  readonly agents: ReadonlyMap<string, AgentAdapter>;
}

/**
 * Opens an interaction for a program, in its token's session. No running call waits for it, so it survives the end of a
 * turn, a process or the gateway. Resolves once it is stored.
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
    // Serialized, so that two asks with the same key become one.
    live.asking(() => findOrAsk(parts, live, asking)),
  );
  return showAsk(parts, stored);
}

/**
 * Rejects with `FORBIDDEN` for an agent that the gateway runs. Such agents ask through tools; their turns and records
 * do not include asks.
 */
async function assertPassive({ store, agents }: CreateAskParts, sessionId: string): Promise<void> {
  const session = await store.getSession(sessionId);
  if (!session) throw notFound("session");
  if (agents.get(session.agent)?.isPassive) return;
  throw new ProtocolError(
    "FORBIDDEN",
    "Only a program that the gateway did not start can do this.",
  );
}

async function findOrAsk(
  parts: CreateAskParts,
  live: LiveSession,
  asking: Asking,
): Promise<StoredInteraction> {
  const { toolCallId, digest, body, interactionId } = asking;
  // Without a key, every ask is a new one.
  const isKeyed = body.idempotencyKey !== undefined;
  const [known] = isKeyed
    ? await parts.store.listToolCallInteractions(live.sessionId, toolCallId)
    : [];
  if (!known) {
    const write = (): Promise<StoredInteraction> => ask(parts, live, asking);
    const { url } = body.callback ?? {};
    if (url === undefined) return write();
    const problem = parts.callbacks.refuses(url);
    if (problem !== undefined) throw invalidRequest("callback.url", problem);
    return parts.callbacks.hold({ interactionId, url }, write);
  }
  if (known.call?.callDigest === digest) return known;
  throw new ProtocolError("KEY_REUSED", "This key was used to ask something else.");
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
    hasAsked: true,
  };
  for (;;) {
    const turn = await enterTurn(parts, live, call);
    if (turn) {
      try {
        return await writeInTurn(parts, turn, asking);
      } finally {
        turn.calls.leave(call);
      }
    }
    const written = await writeAlone(parts, live, asking);
    if (written) return written;
  }
}

/** Waits until the session's rate limit allows another ask. Rejects with `RATE_LIMITED` when that takes too long. */
async function keepPace({ clock, draining }: CreateAskParts, { asks }: LiveSession): Promise<void> {
  const waitMs = asks.reserve(clock.monotonic());
  if (waitMs > MOST_WAIT_MS) {
    const detail = "The program asks more often than people can answer.";
    throw new ProtocolError("RATE_LIMITED", detail, { retryAfterMs: MOST_WAIT_MS });
  }
  if (waitMs > 0) await clock.sleep(waitMs, { signal: draining }).catch(() => undefined);
}
