import {
  ProtocolError,
  type QueuedMessage,
  type SendMessageBody,
  type SentMessage,
} from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import type { AgentAdapter } from "../ports/agent-adapter.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store, StoredMessage } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import type { SessionLog } from "../session/session-log.ts";

export interface RemoveMessageParts {
  readonly store: Store;
  readonly log: SessionLog;
}

export interface SendMessageParts extends RemoveMessageParts {
  readonly sessions: LiveSessions;
  readonly agents: ReadonlyMap<string, AgentAdapter>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: { readonly queuedPerSession: number };
  /** Runs what is queued, if it does not run already. */
  readonly kickQueue: (sessionId: string) => void;
}

/** Queues a message; it starts its turn at once when nothing runs. The same key gets the same message, if it says the same. */
export async function sendMessage(
  parts: SendMessageParts,
  sessionId: string,
  body: SendMessageBody,
): Promise<SentMessage> {
  return parts.sessions.use(sessionId, (live) =>
    live.rowWrites(() => enqueueMessage(parts, live, body)),
  );
}

async function enqueueMessage(
  parts: SendMessageParts,
  live: LiveSession,
  body: SendMessageBody,
): Promise<SentMessage> {
  const { store, agents, clock, ids, log, kickQueue } = parts;
  const { sessionId } = live;
  const stored = await store.getSession(sessionId);
  if (!stored || live.deleting) throw notFound("session");
  if (agents.get(stored.agent)?.isPassive) throw takesNoMessages();
  const queue = await store.listQueue(sessionId);
  const idempotencyKey = toStoredKey(body.idempotencyKey);
  const known = idempotencyKey && (await store.findMessage(sessionId, idempotencyKey));
  if (known && known.content !== body.content) throw keyReused();
  if (known) return toSent(known, queue.some(isSame(known)));
  const isBusy = live.status !== "idle" || queue.length > 0;
  assertMayQueue(parts, body, { isBusy, queued: queue.length });
  const message: StoredMessage = {
    sessionId,
    messageId: ids.next("msg"),
    turnId: ids.next("trn"),
    content: body.content,
    origin: "person",
    queuedAt: toInstant(clock.now()),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  const result = await log.append({ sessionId, enqueue: [message] });
  if (result.status === "conflict") throw notFound("session");
  kickQueue(sessionId);
  return toSent(message, isBusy);
}

function assertMayQueue(
  { limits }: SendMessageParts,
  body: SendMessageBody,
  { isBusy, queued }: { readonly isBusy: boolean; readonly queued: number },
): void {
  if (isBusy && !body.queue) {
    throw new ProtocolError("TURN_RUNNING", "A turn is running in this session.");
  }
  if (queued >= limits.queuedPerSession) {
    throw new ProtocolError("RATE_LIMITED", "Too many messages are queued in this session.");
  }
}

export async function listQueue(store: Store, sessionId: string): Promise<QueuedMessage[]> {
  if (!(await store.getSession(sessionId))) throw notFound("session");
  return (await store.listQueue(sessionId)).map(toQueuedMessage);
}

export async function removeQueuedMessage(
  { store, log }: RemoveMessageParts,
  { sessionId, messageId }: { readonly sessionId: string; readonly messageId: string },
): Promise<void> {
  const queue = await store.listQueue(sessionId);
  const queued = queue.find((message) => message.messageId === messageId);
  if (!queued) throw notFound("queued message");
  // An acknowledged response is delivered, once. What a late approval still allows can be revoked as its grant.
  if (queued.origin === "late_response") throw isOnItsWay();
  const result = await log.append({ sessionId, dequeue: [messageId] });
  if (result.status === "conflict") throw notFound("queued message");
}

function isOnItsWay(): ProtocolError {
  const detail = "This answer was given and is on its way to the agent.";
  return new ProtocolError("ALREADY_ANSWERED", detail);
}

function keyReused(): ProtocolError {
  const detail = "Another message was sent with this idempotency key.";
  return new ProtocolError("KEY_REUSED", detail);
}

function takesNoMessages(): ProtocolError {
  const detail = "This agent was started elsewhere. It asks for answers, but it takes no messages.";
  return new ProtocolError("AGENT_UNAVAILABLE", detail);
}

/** A person's keys are kept apart from the gateway's own. */
function toStoredKey(key: string | undefined): string | undefined {
  return key === undefined ? undefined : `person:${key}`;
}

function toSent({ turnId, messageId }: StoredMessage, queued: boolean): SentMessage {
  return { turnId, messageId, queued };
}

function isSame(message: StoredMessage): (other: StoredMessage) => boolean {
  return (other) => other.messageId === message.messageId;
}

/** What the wire shows of a stored message. */
export function toQueuedMessage(stored: StoredMessage): QueuedMessage {
  const { messageId, turnId, content, origin, queuedAt } = stored;
  return { messageId, turnId, content, origin, queuedAt };
}
