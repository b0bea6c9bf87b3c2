import type { SessionEvent, UnplacedEvent } from "@holdpoint/protocol";

import { toInstant } from "../lib/instant.ts";
import type { StoredMessage, StoredSession } from "../ports/store.ts";
import { toEnded } from "../session/stored-session.ts";
import { STOPPED } from "../turn/stop-turn.ts";
import type { Core } from "./core.ts";

/** Most turns end within the first page. A turn with hundreds of requests takes a few more reads. */
const FIRST_PAGE_SIZE = 20;
const NEXT_PAGE_SIZE = 200;

/**
 * Ends the turn that a previous gateway left open: as stopped, if a person had stopped it. With `parked`, the answer to
 * the turn's request starts the agent again.
 */
export async function endInterruptedTurn(
  core: Core,
  session: StoredSession,
  left: "error" | "parked" = "error",
): Promise<void> {
  const { sessionId } = session;
  const turn = await lastTurn(core, session);
  const { turnId, message, agentActed } = turn;
  const reason = reasonOfEnd(core, session, turn, left);
  const at = toInstant(core.clock.now());
  const detail = "The gateway was restarted while the agent worked.";
  const events: UnplacedEvent[] = turnId ? [{ type: "turn_ended", at, turnId, reason }] : [];
  if (turnId && reason === "error") {
    events.unshift({ type: "error", at, turnId, code: "GATEWAY_RESTARTED", message: detail });
  }
  const isUndelivered = turnId && message?.origin === "late_response" && !agentActed;
  await core.log.append({
    sessionId,
    events,
    session: toEnded(session, turnId ? reason : "done", at),
    ...(isUndelivered && { enqueue: [repeatMessage(core, session, message)] }),
  });
}

function reasonOfEnd(
  { agents }: Core,
  { agent }: StoredSession,
  { message, isStopped }: LastTurn,
  left: "error" | "parked",
): "done" | "error" | "parked" | "stopped" {
  if (isStopped) return "stopped";
  // An agent that was started elsewhere continues, and nothing is known to have failed.
  const goesOn = message === undefined && agents.get(agent)?.isPassive === true;
  return left === "error" && goesOn ? "done" : left;
}

/**
 * The message with a response that was recorded as delivered just before the gateway ended. It is queued again, so that
 * the agent gets it after all.
 */
function repeatMessage(core: Core, session: StoredSession, message: UserMessage): StoredMessage {
  const { content, interactionId } = message;
  return {
    sessionId: session.sessionId,
    messageId: core.ids.next("msg"),
    turnId: core.ids.next("trn"),
    content,
    origin: "late_response",
    queuedAt: toInstant(core.clock.now()),
    ...(interactionId !== undefined && { interactionId }),
  };
}

type UserMessage = Extract<SessionEvent, { type: "user_message" }>;

interface LastTurn {
  readonly turnId?: string;
  readonly message?: UserMessage;
  readonly agentActed: boolean;
  /** Whether a person stopped the turn, which shows in the reason for withdrawing its requests. */
  readonly isStopped: boolean;
}

/** The turn at the end of the log. `turnId` is absent when that turn has ended. */
export async function lastTurn(core: Core, { sessionId }: StoredSession): Promise<LastTurn> {
  let agentActed = false;
  let isStopped = false;
  let turnId: string | undefined;
  read: for await (const page of pagesBackwards(core, sessionId)) {
    for (const event of page) {
      if (event.type === "user_message" && event.turnId !== undefined) {
        return { turnId: event.turnId, message: event, agentActed, isStopped };
      }
      // A turn without a message: a tool was called while nothing ran.
      if (turnId !== undefined || event.type === "turn_ended") break read;
      if (event.type === "turn_started") ({ turnId } = event);
      agentActed ||= isAgentEvent(event);
      isStopped ||= event.type === "interaction_closed" && event.reason === STOPPED;
    }
  }
  return turnId === undefined
    ? { agentActed, isStopped: false }
    : { turnId, agentActed, isStopped };
}

/** Pages of a session's events, newest first. */
async function* pagesBackwards({ store }: Core, sessionId: string): AsyncIterable<SessionEvent[]> {
  let limit = FIRST_PAGE_SIZE;
  for (let before: number | undefined; before === undefined || before > 1;) {
    const page = await store.readEvents(sessionId, {
      limit,
      ...(before !== undefined && { before }),
    });
    yield page.toReversed().map(({ json }) => JSON.parse(json) as SessionEvent);
    before = page[0]?.seq ?? 0;
    limit = NEXT_PAGE_SIZE;
  }
}

function isAgentEvent(event: SessionEvent): boolean {
  switch (event.type) {
    case "assistant_message":
    case "tool_call":
    case "tool_result":
    case "interaction_request":
      return true;
    case "user_message":
    case "turn_started":
    case "turn_ended":
    case "interaction_response":
    case "interaction_vote":
    case "interaction_note":
    case "interaction_reopened":
    case "interaction_closed":
    case "interaction_hold_changed":
    case "interaction_delivered":
    case "interaction_overruled":
    case "grant_added":
    case "grant_revoked":
    case "grant_used":
    case "session_updated":
    case "error":
      return false;
  }
}
