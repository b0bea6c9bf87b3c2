import {
  type InteractionStatus,
  isQueued,
  type SessionEvent,
  type UnplacedEvent,
} from "@holdpoint/protocol";

import { expireDue } from "../interaction/deadlines.ts";
import { createLateMessage, lateMessageKey } from "../interaction/late-response-message.ts";
import { toInstant } from "../lib/instant.ts";
import type { StoredInteraction, StoredMessage, StoredSession } from "../ports/store.ts";
import { toRow } from "../session/stored-session.ts";
import type { Core } from "./core.ts";

const pageSize = 100;

/**
 * Puts in order what a gateway left behind that ended in the middle of its work. Each step is one transaction and
 * does nothing the second time, so a repair that is cut short is simply run again.
 */
export async function repair(core: Core): Promise<void> {
  await expireDue(core, core.clock.now());
  await eachInteraction(core, "pending", async (stored) => {
    if (isQueued(stored.interaction)) return;
    if (isUnfinishedCall(stored)) core.unclaimed.add(stored.interaction.interactionId);
    else await orphan(core, stored);
  });
  // Those that wait for their call have their deadlines all the same.
  const nextMs = await core.store.nextDeadline();
  if (nextMs !== undefined) core.deadlines.consider(nextMs);
  await eachInteraction(core, "answered", async (stored) => {
    if (await isSaid(core, stored)) return;
    if (isUnfinishedCall(stored)) core.unclaimed.add(stored.interaction.interactionId);
    else await queueResponse(core, stored);
  });
  for (const session of await interruptedSessions(core)) await endInterruptedTurn(core, session);
}

/** The call that asked for it has not come again: its agent is gone. */
export async function giveUpUnclaimed(core: Core, interactionId: string): Promise<void> {
  const found = await core.store.getInteraction(interactionId);
  if (found?.interaction.status === "pending") await orphan(core, found);
  // Somebody may have answered in that moment.
  const stored = await core.store.getInteraction(interactionId);
  if (stored?.interaction.status !== "answered" || (await isSaid(core, stored))) return;
  await queueResponse(core, stored);
  core.kickQueue(stored.interaction.sessionId);
}

/** The same call may come again and take it up. */
function isUnfinishedCall({ call }: StoredInteraction): boolean {
  return call !== undefined && !call.finished;
}

/** Whether its response is a message already, said or waiting for its turn. */
async function isSaid(core: Core, { interaction }: StoredInteraction): Promise<boolean> {
  const { sessionId, interactionId } = interaction;
  return (await core.store.findMessage(sessionId, lateMessageKey(interactionId))) !== undefined;
}

async function orphan(core: Core, stored: StoredInteraction): Promise<void> {
  const at = toInstant(core.clock.now());
  const reason = "The gateway was restarted; the agent that asked is gone.";
  await core.settle(stored, { type: "orphan", at, reason });
}

/** The agent that waited for it is gone: it gets the response as a message. */
async function queueResponse(core: Core, { interaction }: StoredInteraction): Promise<void> {
  const { sessionId } = interaction;
  await core.log.append({ sessionId, enqueue: [createLateMessage(core, interaction)] });
}

async function eachInteraction(
  core: Core,
  status: InteractionStatus,
  visit: (stored: StoredInteraction) => Promise<void>,
): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const page = await core.store.listInteractions({
      statuses: [status],
      limit: pageSize,
      ...(cursor !== undefined && { cursor }),
    });
    await Promise.all(page.items.map(visit));
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
}

/** Sessions whose row says that a turn runs. */
async function interruptedSessions(core: Core): Promise<StoredSession[]> {
  const found: StoredSession[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await core.store.listSessions({
      onlyBusy: true,
      limit: pageSize,
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined) return found;
  }
}

async function endInterruptedTurn(core: Core, session: StoredSession): Promise<void> {
  const { sessionId } = session;
  const { turnId, message, agentActed } = await lastTurn(core, session);
  const at = toInstant(core.clock.now());
  const detail = "The gateway was restarted while the agent worked.";
  const events: UnplacedEvent[] = turnId
    ? [
        { type: "error", at, turnId, code: "GATEWAY_RESTARTED", message: detail },
        { type: "turn_ended", at, turnId, reason: "error" },
      ]
    : [];
  const isUnheard = turnId && message?.origin === "late_response" && !agentActed;
  await core.log.append({
    sessionId,
    events,
    session: toRow({ ...session, status: "idle", updatedAt: at }),
    ...(isUnheard && { enqueue: [sayAgain(core, session, message)] }),
  });
}

/** A response that the agent was about to hear when the gateway ended. It has been recorded as delivered already. */
function sayAgain(core: Core, session: StoredSession, message: UserMessage): StoredMessage {
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

/** The turn that the end of the log belongs to; no `turnId` when that turn has ended. */
async function lastTurn(
  core: Core,
  { sessionId }: StoredSession,
): Promise<{ turnId?: string; message?: UserMessage; agentActed: boolean }> {
  let agentActed = false;
  let turnId: string | undefined;
  for (let before: number | undefined; ;) {
    const page = await core.store.readEvents(sessionId, {
      limit: pageSize,
      ...(before !== undefined && { before }),
    });
    for (const { json } of page.toReversed()) {
      const event = JSON.parse(json) as SessionEvent;
      if (event.type === "user_message" && event.turnId !== undefined) {
        return { turnId: event.turnId, message: event, agentActed };
      }
      // No message began it: a tool was called while nothing ran.
      if (turnId !== undefined) return { turnId, agentActed };
      if (event.type === "turn_ended") return { agentActed };
      if (event.type === "turn_started") ({ turnId } = event);
      agentActed ||= isAgentEvent(event);
    }
    before = page[0]?.seq;
    if (before === undefined || before <= 1) {
      return { ...(turnId !== undefined && { turnId }), agentActed };
    }
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
    case "interaction_closed":
    case "interaction_hold_changed":
    case "interaction_delivered":
    case "grant_added":
    case "grant_revoked":
    case "grant_used":
    case "session_updated":
    case "error":
      return false;
  }
}
