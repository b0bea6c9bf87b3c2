import {
  type InteractionStatus,
  isQueued,
  type SessionEvent,
  transition,
  type UnplacedEvent,
} from "@holdpoint/protocol";

import { expireDue } from "../interaction/deadlines.ts";
import { createLateMessage, lateMessageKey } from "../interaction/late-response-message.ts";
import { moveRow, type SettleResult } from "../interaction/settle.ts";
import { toInstant } from "../lib/instant.ts";
import type {
  InteractionWrite,
  StoredInteraction,
  StoredMessage,
  StoredSession,
} from "../ports/store.ts";
import { toRow } from "../session/stored-session.ts";
import { mayHaveRun } from "../turn/close-interactions.ts";
import type { Core } from "./core.ts";

/** Rows that are repaired at a time: those of one page share their commits. */
const PAGE_SIZE = 5000;
const EVENT_PAGE_SIZE = 20;

/**
 * Ends what the gateway before this one left unfinished. Each step is one transaction and does nothing the second
 * time, so a repair that is cut short is simply run again.
 */
export async function repair(core: Core): Promise<void> {
  await expireDue(core, core.clock.now());
  await eachPage(core, "pending", async (page) => {
    const held = page.filter(({ interaction }) => !isQueued(interaction));
    for (const { interaction } of held.filter(isUnfinishedCall)) {
      core.unclaimed.add(interaction.interactionId);
    }
    const orphans = held.filter((stored) => !isUnfinishedCall(stored));
    const bySession = Map.groupBy(orphans, ({ interaction }) => interaction.sessionId);
    await Promise.all([...bySession].map(([sessionId, rows]) => orphanAll(core, sessionId, rows)));
  });
  // An interaction whose call may come again keeps its deadline.
  const nextMs = await core.store.nextDeadline();
  if (nextMs !== undefined) core.deadlines.consider(nextMs);
  await eachPage(core, "answered", async (page) => {
    await Promise.all(page.map((stored) => repairAnswered(core, stored)));
  });
  await endInterruptedTurns(core);
}

async function repairAnswered(core: Core, stored: StoredInteraction): Promise<void> {
  if (await isSentOn(core, stored)) return;
  if (mayHaveRun(stored)) {
    const { turnId } = stored.interaction;
    const at = toInstant(core.clock.now());
    await core.settle(stored, { type: "deliver", at, how: "unknown", turnId });
    return;
  }
  const canComeAgain = isUnfinishedCall(stored) && hasItsValues(stored);
  if (canComeAgain) core.unclaimed.add(stored.interaction.interactionId);
  else await queueResponse(core, stored);
}

/** Orphans an interaction whose call has not come again: its agent is gone. */
export async function giveUpUnclaimed(core: Core, interactionId: string): Promise<void> {
  const found = await core.store.getInteraction(interactionId);
  const result = found && (await orphan(core, found));
  if (result?.status !== "refused") return;
  // It has been answered: before the gateway ended, or in this moment.
  const { stored } = result;
  if (stored.interaction.status !== "answered" || (await isSentOn(core, stored))) return;
  await queueResponse(core, stored);
  core.kickQueue(stored.interaction.sessionId);
}

/** The same call may come again and claim it. */
function isUnfinishedCall({ call }: StoredInteraction): boolean {
  return call !== undefined && !call.finished;
}

/** Its sensitive values end in the moment of its delivery, and the gateway may have ended then. */
function hasItsValues({ interaction, secretValues }: StoredInteraction): boolean {
  return !interaction.response?.redacted?.length || secretValues !== undefined;
}

/** Whether there is a message with its response already, in the log or in the queue. */
async function isSentOn(core: Core, { interaction }: StoredInteraction): Promise<boolean> {
  const { sessionId, interactionId } = interaction;
  return (await core.store.findMessage(sessionId, lateMessageKey(interactionId))) !== undefined;
}

const ORPHAN_REASON = "The gateway was restarted; the agent that asked is gone.";

function orphan(core: Core, stored: StoredInteraction): Promise<SettleResult> {
  const at = toInstant(core.clock.now());
  return core.settle(stored, { type: "orphan", at, reason: ORPHAN_REASON });
}

/** Orphans interactions of one session in one write. While the gateway starts, nothing else moves them and no agent waits. */
async function orphanAll(
  core: Core,
  sessionId: string,
  rows: readonly StoredInteraction[],
): Promise<void> {
  const at = toInstant(core.clock.now());
  const events: UnplacedEvent[] = [];
  const interactions: InteractionWrite[] = [];
  for (const stored of rows) {
    const { status, hold } = stored.interaction;
    const next = transition(stored.interaction, { type: "orphan", at, reason: ORPHAN_REASON });
    if (next.status === "refused") continue;
    const row = moveRow(stored, next.interaction);
    events.push(next.event);
    interactions.push({ row, expectedStatus: status, expectedHold: hold });
  }
  await core.log.append({ sessionId, events, interactions });
}

/** The agent that waited for the response is gone: the next one gets it as a message. */
async function queueResponse(core: Core, { interaction }: StoredInteraction): Promise<void> {
  const { sessionId } = interaction;
  await core.log.append({ sessionId, enqueue: [createLateMessage(core, interaction)] });
}

async function eachPage(
  core: Core,
  status: InteractionStatus,
  visit: (page: readonly StoredInteraction[]) => Promise<void>,
): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const page = await core.store.listInteractions({
      statuses: [status],
      limit: PAGE_SIZE,
      ...(cursor !== undefined && { cursor }),
    });
    await visit(page.items);
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
}

/** Ends the turns of the sessions whose row says that one runs. */
async function endInterruptedTurns(core: Core): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const page = await core.store.listSessions({
      onlyBusy: true,
      limit: PAGE_SIZE,
      ...(cursor !== undefined && { cursor }),
    });
    await Promise.all(page.items.map((session) => endInterruptedTurn(core, session)));
    cursor = page.nextCursor;
    if (cursor === undefined) return;
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
  const isUndelivered = turnId && message?.origin === "late_response" && !agentActed;
  await core.log.append({
    sessionId,
    events,
    session: toRow({ ...session, status: "idle", updatedAt: at }),
    ...(isUndelivered && { enqueue: [repeatMessage(core, session, message)] }),
  });
}

/** The message with a response that was recorded as delivered just before the gateway ended, for the agent to get it after all. */
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

/** The turn that the end of the log belongs to; no `turnId` when that turn has ended. */
async function lastTurn(
  core: Core,
  { sessionId }: StoredSession,
): Promise<{ turnId?: string; message?: UserMessage; agentActed: boolean }> {
  let agentActed = false;
  let turnId: string | undefined;
  for await (const event of eventsBackwards(core, sessionId)) {
    if (event.type === "user_message" && event.turnId !== undefined) {
      return { turnId: event.turnId, message: event, agentActed };
    }
    // No message began it: a tool was called while nothing ran.
    if (turnId !== undefined || event.type === "turn_ended") break;
    if (event.type === "turn_started") ({ turnId } = event);
    agentActed ||= isAgentEvent(event);
  }
  return { ...(turnId !== undefined && { turnId }), agentActed };
}

async function* eventsBackwards({ store }: Core, sessionId: string): AsyncIterable<SessionEvent> {
  for (let before: number | undefined; before === undefined || before > 1;) {
    const page = await store.readEvents(sessionId, {
      limit: EVENT_PAGE_SIZE,
      ...(before !== undefined && { before }),
    });
    for (const { json } of page.toReversed()) yield JSON.parse(json) as SessionEvent;
    before = page[0]?.seq ?? 0;
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
