import type { Grant, Interaction, InteractionStatus, UnplacedEvent } from "@holdpoint/protocol";

import type { AttachmentRoom, StoredAttachment } from "../../ports/attachment-store.ts";
import type { StoredGrant } from "../../ports/grant-store.ts";
import type { Batch, StoredInteraction, StoredMessage, StoredSession } from "../../ports/store.ts";

const START_MS = Date.parse("2025-01-01T00:00:00.000Z");

/** An instant some milliseconds after the first instant of all fixtures. */
export function instant(offsetMs: number): string {
  return new Date(START_MS + offsetMs).toISOString();
}

export function sessionRow(
  sessionId: string,
  changes: Partial<StoredSession> = {},
): Omit<StoredSession, "lastSeq"> {
  return {
    sessionId,
    agent: "demo",
    cwd: "/work",
    title: "A session",
    permissionMode: "default",
    status: "idle",
    createdAt: instant(0),
    updatedAt: instant(0),
    ...changes,
  };
}

/** The batch that creates a session. */
export function creation(sessionId: string, changes: Partial<StoredSession> = {}): Batch {
  return { sessionId, session: sessionRow(sessionId, changes) };
}

export function messageEvent(content: string): UnplacedEvent {
  return { at: instant(0), type: "user_message", messageId: "msg_1", content, origin: "person" };
}

/** Three bytes. */
export function attachmentRow(
  sessionId: string,
  attachmentId: string,
  changes: Partial<StoredAttachment> = {},
): StoredAttachment {
  const file = { name: "notes.txt", mediaType: "text/plain", bytes: 3, data: "YWJj" } as const;
  return { sessionId, attachmentId, uploadedAtMs: 0, ...file, ...changes };
}

/** More room than any test fills. */
export const ROOM: AttachmentRoom = {
  sessionBytes: 1000,
  perSession: 100,
  gatewayBytes: 1000,
  forgetBeforeMs: 0,
};

export function interactionRow(
  sessionId: string,
  interactionId: string,
  changes: Partial<Interaction> = {},
): StoredInteraction {
  return {
    interaction: {
      interactionId,
      sessionId,
      turnId: "trn_1",
      toolCallId: "call_1",
      toolName: "ask_user",
      kind: "question",
      status: "pending",
      attempt: 1,
      presentation: "tool",
      startedAt: instant(0),
      onTimeout: "wait",
      hold: "held",
      ...changes,
    },
  };
}

/** A batch that writes one interaction. */
export function interactionWrite(
  row: StoredInteraction,
  expectedStatus: InteractionStatus | undefined,
): Batch {
  return { sessionId: row.interaction.sessionId, interactions: [{ row, expectedStatus }] };
}

export function messageRow(
  sessionId: string,
  messageId: string,
  changes: Partial<StoredMessage> = {},
): StoredMessage {
  return {
    sessionId,
    messageId,
    turnId: `trn_of_${messageId}`,
    content: "Hello",
    origin: "person",
    queuedAt: instant(0),
    ...changes,
  };
}

/** A grant from an approval of the session; without `sessionId` it applies everywhere. */
export function grantRow(
  madeIn: string,
  grantId: string,
  changes: Partial<Grant> = {},
): StoredGrant {
  return {
    grant: {
      grantId,
      scope: changes.sessionId === undefined ? "always" : "session",
      toolName: "Bash",
      text: "Exactly this command.",
      createdAt: instant(0),
      by: { person: "Ada", client: "laptop", at: instant(0) },
      interactionId: "int_1",
      ...changes,
    },
    keyHash: "key",
    sessionId: madeIn,
  };
}
