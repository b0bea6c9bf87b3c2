import {
  ProtocolError,
  type QueuedMessage,
  type SendMessageBody,
  type SentMessage,
} from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { toInstant } from "../interaction/create-interaction.ts";
import { notFound } from "../lib/errors.ts";
import type { StoredMessage } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import { refreshStatus } from "../session/session-status.ts";
import { toQueuedMessage } from "../stream/queue-frame.ts";
import { runTurn } from "./run-turn.ts";

const retryMs = 1000;

/** Queues a message; it starts its turn at once when nothing runs. The same key gets the same message. */
export async function sendMessage(
  core: Core,
  sessionId: string,
  body: SendMessageBody,
): Promise<SentMessage> {
  return core.sessions.use(sessionId, (live) =>
    live.rowWrites(async () => {
      const stored = await core.store.getSession(sessionId);
      if (!stored || live.deleting) throw notFound("session");
      if (core.agents.get(stored.agent)?.isPassive) throw takesNoMessages();
      const queue = await core.store.listQueue(sessionId);
      const idempotencyKey = toStoredKey(body.idempotencyKey);
      const known = idempotencyKey && (await core.store.findMessage(sessionId, idempotencyKey));
      if (known) return toSent(known, queue.some(isSame(known)));
      const isBusy = live.driver !== undefined || queue.length > 0;
      assertMayQueue(core, body, { isBusy, queued: queue.length });
      const message: StoredMessage = {
        sessionId,
        messageId: core.ids.next("msg"),
        turnId: core.ids.next("trn"),
        content: body.content,
        origin: "person",
        queuedAt: toInstant(core.clock.now()),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      };
      const result = await core.log.append({ sessionId, enqueue: [message] });
      if (result.status === "conflict") throw notFound("session");
      kickQueue(core, sessionId);
      return toSent(message, isBusy);
    }),
  );
}

export async function listQueue(core: Core, sessionId: string): Promise<QueuedMessage[]> {
  if (!(await core.store.getSession(sessionId))) throw notFound("session");
  return (await core.store.listQueue(sessionId)).map(toQueuedMessage);
}

export async function removeQueuedMessage(
  core: Core,
  sessionId: string,
  messageId: string,
): Promise<void> {
  const queue = await core.store.listQueue(sessionId);
  const queued = queue.find((message) => message.messageId === messageId);
  if (!queued) throw notFound("queued message");
  // An acknowledged response is delivered, once. What a late approval still allows can be revoked as its grant.
  if (queued.origin === "late_response") throw isOnItsWay();
  const result = await core.log.append({ sessionId, dequeue: [messageId] });
  if (result.status === "conflict") throw notFound("queued message");
}

/** Runs what is queued, one turn after the other, unless that happens already. */
export function kickQueue(core: Core, sessionId: string): void {
  if (core.draining.aborted) return;
  const live = core.sessions.acquire(sessionId);
  live.kicked = true;
  if (live.driver || live.deleting) {
    core.sessions.release(live);
    return;
  }
  startDriver(core, live);
}

/** Runs a turn of its own in a session in which nothing runs, then what was queued meanwhile. */
export function driveFirst(core: Core, live: LiveSession, first: () => Promise<void>): void {
  startDriver(core, core.sessions.acquire(live.sessionId), first);
}

function startDriver(core: Core, live: LiveSession, first?: () => Promise<void>): void {
  live.driver = Promise.resolve().then(() => drive(core, live, first));
  refreshStatus(core, live.sessionId);
}

async function drive(core: Core, live: LiveSession, first?: () => Promise<void>): Promise<void> {
  try {
    await first?.().catch((error: unknown) => core.onError(error, "turn"));
    while (!core.draining.aborted && !live.deleting) {
      live.kicked = false;
      const ran = await runNext(core, live);
      // No await in between: what is queued from here on finds no driver and starts a new one.
      if (!ran && !live.kicked) return;
    }
  } finally {
    live.driver = undefined;
    refreshStatus(core, live.sessionId);
    core.sessions.release(live);
  }
}

/** False when nothing was queued. */
async function runNext(core: Core, live: LiveSession): Promise<boolean> {
  try {
    const [message] = await core.store.listQueue(live.sessionId);
    if (message) await runTurn(core, live, message);
    return message !== undefined;
  } catch (error: unknown) {
    core.onError(error, "turn queue");
    // Ends early when the gateway closes; the loop sees that.
    await core.clock.sleep(retryMs, { signal: core.draining }).catch(() => undefined);
    return true;
  }
}

function isOnItsWay(): ProtocolError {
  const detail = "This is an answer that was given, and it is on its way to the agent.";
  return new ProtocolError("ALREADY_ANSWERED", detail);
}

function takesNoMessages(): ProtocolError {
  const detail = "This agent was started elsewhere: it asks, and takes no messages.";
  return new ProtocolError("AGENT_UNAVAILABLE", detail);
}

function assertMayQueue(
  core: Core,
  body: SendMessageBody,
  { isBusy, queued }: { readonly isBusy: boolean; readonly queued: number },
): void {
  if (isBusy && !body.queue) {
    throw new ProtocolError("TURN_RUNNING", "A turn is running in this session.");
  }
  if (queued >= core.limits.queuedPerSession) {
    throw new ProtocolError("RATE_LIMITED", "Too many messages wait in this session.");
  }
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
