import {
  ProtocolError,
  saysSomething,
  type Attachment,
  type QueuedMessage,
  type SendMessageBody,
  type SentMessage,
  refusal,
  saying,
} from "@holdpoint/protocol";

import { invalidRequest, notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store, StoredMessage, StoredSession } from "../ports/store.ts";
import { assertTakesAttachments, attachmentGone, findAttachments } from "../session/attachments.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { AgentsParts } from "../session/sessions.ts";

export interface RemoveMessageParts {
  readonly store: Store;
  readonly log: SessionLog;
  readonly clock: Clock;
}

export interface SendMessageParts extends RemoveMessageParts, AgentsParts {
  readonly sessions: LiveSessions;
  readonly ids: Ids;
  readonly limits: { readonly queuedPerSession: number };
  /** Runs the queue unless it is already running. */
  readonly kickQueue: (sessionId: string) => void;
}

/**
 * Queues a message, whose turn starts at once if nothing is running. A repeated idempotency key returns the same
 * message, if the content is the same.
 */
export async function sendMessage(
  parts: SendMessageParts,
  sessionId: string,
  body: SendMessageBody,
  personId?: string,
): Promise<SentMessage> {
  return parts.sessions.use(sessionId, (live) =>
    live.rowWrites(() => enqueueMessage(parts, live, body, personId)),
  );
}

async function enqueueMessage(
  parts: SendMessageParts,
  live: LiveSession,
  body: SendMessageBody,
  personId: string | undefined,
): Promise<SentMessage> {
  const { store, log, kickQueue } = parts;
  const { sessionId } = live;
  const stored = await store.getSession(sessionId);
  if (!stored || live.deleting) throw notFound("session");
  assertTakesMessage(parts, stored, body);
  const queue = await store.listQueue(sessionId);
  const idempotencyKey = toStoredKey(body.idempotencyKey);
  const known = idempotencyKey && (await store.findMessage(sessionId, idempotencyKey));
  if (known && !saysTheSame(known, body)) throw keyReused();
  if (known) return toSent(known, queue.some(isSame(known)));
  const isBusy = live.status !== "idle" || queue.length > 0;
  assertMayQueue(parts, body, { isBusy, queued: queue.length });
  const sender = personId === undefined ? {} : { personId };
  const message = { ...(await toMessage(parts, stored, { ...body, idempotencyKey })), ...sender };
  const result = await log.append({ sessionId, enqueue: [message] });
  if (result.status === "conflict") {
    throw result.conflict.kind === "attachment" ? attachmentGone() : notFound("session");
  }
  kickQueue(sessionId);
  return toSent(message, isBusy);
}

function assertTakesMessage(
  { agents }: SendMessageParts,
  { agent }: StoredSession,
  body: SendMessageBody,
): void {
  if (agents.get(agent)?.isPassive) throw takesNoMessages();
  if (!saysSomething(body)) throw invalidRequest("content", "A message needs some text or a file.");
}

async function toMessage(
  parts: SendMessageParts,
  { sessionId, agent }: StoredSession,
  { content, attachments: given, idempotencyKey }: SendMessageBody,
): Promise<StoredMessage> {
  const { clock, ids } = parts;
  const attachments = await findAttachments(parts, sessionId, given);
  if (attachments.length > 0) await assertTakesAttachments(parts, agent);
  return {
    sessionId,
    messageId: ids.next("msg"),
    turnId: ids.next("trn"),
    content,
    ...(attachments.length > 0 && { attachments }),
    origin: "person",
    queuedAt: toInstant(clock.now()),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

function saysTheSame(
  { content, attachments = [] }: Pick<StoredMessage, "attachments" | "content">,
  body: SendMessageBody,
): boolean {
  const known = attachments.map(({ attachmentId }: Attachment) => attachmentId);
  const said = [...new Set(body.attachments)];
  return content === body.content && known.join() === said.join();
}

function assertMayQueue(
  { limits }: SendMessageParts,
  body: SendMessageBody,
  { isBusy, queued }: { readonly isBusy: boolean; readonly queued: number },
): void {
  if (isBusy && !body.queue) {
    throw refusal("TURN_RUNNING", saying("turn_runs"));
  }
  if (queued >= limits.queuedPerSession) {
    throw new ProtocolError("RATE_LIMITED", "Too many messages are queued in this session.");
  }
}

export async function listQueue(store: Store, sessionId: string): Promise<QueuedMessage[]> {
  if (!(await store.getSession(sessionId))) throw notFound("session");
  return (await store.listQueue(sessionId)).map(toQueuedMessage);
}

/**
 * Takes a message back. Its files can still be sent, for as long as other unsent files. Rejects with `NOT_FOUND` and
 * `ALREADY_ANSWERED`.
 */
export async function removeQueuedMessage(
  { store, log, clock }: RemoveMessageParts,
  { sessionId, messageId }: { readonly sessionId: string; readonly messageId: string },
): Promise<void> {
  const queue = await store.listQueue(sessionId);
  const queued = queue.find((message) => message.messageId === messageId);
  if (!queued) throw notFound("queued message");
  // An acknowledged response is delivered, once. To undo a late approval, revoke its grant.
  if (queued.origin === "late_response") throw isOnItsWay();
  const takenBackAtMs = clock.now();
  const result = await log.append({ sessionId, dequeue: [messageId], takenBackAtMs });
  if (result.status === "conflict") throw notFound("queued message");
}

function isOnItsWay(): ProtocolError {
  return refusal("ALREADY_ANSWERED", saying("answer_on_its_way"));
}

function keyReused(): ProtocolError {
  return refusal("KEY_REUSED", saying("message_differs"));
}

function takesNoMessages(): ProtocolError {
  return refusal("AGENT_UNAVAILABLE", saying("agent_takes_no_messages"));
}

/** Keeps people's keys apart from the gateway's own. */
function toStoredKey(key: string | undefined): string | undefined {
  return key === undefined ? undefined : `person:${key}`;
}

function toSent({ turnId, messageId }: StoredMessage, queued: boolean): SentMessage {
  return { turnId, messageId, queued };
}

function isSame(message: StoredMessage): (other: StoredMessage) => boolean {
  return (other) => other.messageId === message.messageId;
}

/** A stored message as sent over the wire. */
export function toQueuedMessage(stored: StoredMessage): QueuedMessage {
  const { messageId, turnId, content, attachments, origin, queuedAt } = stored;
  return { messageId, turnId, content, ...(attachments && { attachments }), origin, queuedAt };
}
