import {
  ATTACHMENT_LIMITS,
  checkAttachment,
  ProtocolError,
  toAttachmentName,
  tooLarge,
  type Attachment,
  type AttachmentData,
  type AttachmentProblem,
  type UploadAttachmentBody,
} from "@holdpoint/protocol";

import { fromBase64 } from "../lib/base64.ts";
import { invalidRequest, notFound } from "../lib/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { FILE_ID, PICTURE_ID, toAttachmentId } from "./attachment-id.ts";
import { describeAgent, type AgentsParts } from "./sessions.ts";

export interface AttachmentParts extends AgentsParts {
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * Stores a file for messages of the session. Rejects with `NOT_FOUND`, `TOO_LARGE` or `NO_ROOM`, and with
 * `INVALID_REQUEST` for a file that no message can carry or that the agent does not accept. Nothing is stored then.
 */
export async function uploadAttachment(
  parts: AttachmentParts,
  sessionId: string,
  { name: given, data }: UploadAttachmentBody,
): Promise<Attachment> {
  const { store, clock } = parts;
  const session = await store.getSession(sessionId);
  if (!session) throw notFound("session");
  await assertTakesAttachments(parts, session.agent);
  const bytes = fromBase64(data);
  if (!bytes) throw invalidRequest("data", "This is not Base64.");
  const check = checkAttachment(bytes);
  if ("problem" in check) throw toRefusal(check.problem);
  const name = toAttachmentName(given);
  const attachmentId = await toAttachmentId(FILE_ID, name, bytes);
  const attachment: Attachment = { attachmentId, name, bytes: bytes.length, ...check.facts };
  const nowMs = clock.now();
  const { sessionBytes, perSession, gatewayBytes, unsentMs } = ATTACHMENT_LIMITS;
  const kept = await store.attachments.put(
    { ...attachment, sessionId, uploadedAtMs: nowMs, data },
    { sessionBytes, perSession, gatewayBytes, forgetBeforeMs: nowMs - unsentMs },
  );
  if (kept === "no_session") throw notFound("session");
  if (kept === "no_room") throw noRoom();
  return attachment;
}

/** A file of this session, sent or not. Rejects with `NOT_FOUND`, including for a file of another session. */
export async function readAttachment(
  { store }: Pick<AttachmentParts, "store">,
  sessionId: string,
  attachmentId: string,
): Promise<AttachmentData> {
  const found = await store.attachments.get(sessionId, attachmentId);
  if (!found) throw notFound("file");
  return found;
}

/**
 * The attachments of a message, by the ids sent with it, each once. Rejects with `INVALID_REQUEST` for an id that the
 * session does not have, and with `TOO_LARGE` when they are too large together.
 */
export async function findAttachments(
  { store }: Pick<AttachmentParts, "store">,
  sessionId: string,
  ids: readonly string[] = [],
): Promise<Attachment[]> {
  if (ids.some((id) => id.startsWith(PICTURE_ID))) throw attachmentGone();
  const found = await Promise.all(
    [...new Set(ids)].map((id) => store.attachments.find(sessionId, id)),
  );
  const attachments = found.filter((one) => one !== undefined);
  if (attachments.length < found.length) throw attachmentGone();
  const bytes = attachments.reduce((sum, one) => sum + one.bytes, 0);
  const { messageBytes } = ATTACHMENT_LIMITS;
  if (bytes > messageBytes) throw tooLarge("The files of a message", messageBytes);
  return attachments;
}

/** Attachments with their bytes, for the agent. Rejects when one is gone. */
export async function loadAttachments(
  { store }: Pick<AttachmentParts, "store">,
  sessionId: string,
  attachments: readonly Attachment[],
): Promise<AttachmentData[]> {
  return Promise.all(
    attachments.map(({ attachmentId }) => readAttachment({ store }, sessionId, attachmentId)),
  );
}

export async function assertTakesAttachments(parts: AgentsParts, agent: string): Promise<void> {
  const { takesAttachments } = await describeAgent(parts, agent);
  if (!takesAttachments) {
    throw invalidRequest("attachments", "This agent does not accept images or files.");
  }
}

export function attachmentGone(): ProtocolError {
  return invalidRequest(
    "attachments",
    "A file of this message is no longer stored. Attach it again.",
  );
}

function toRefusal(problem: AttachmentProblem): ProtocolError {
  const { messageBytes, textBytes, imageSide } = ATTACHMENT_LIMITS;
  switch (problem) {
    case "empty":
      return invalidRequest("data", "This file is empty.");
    case "unknown_type":
      return invalidRequest(
        "data",
        "Only PNG, JPEG, GIF and WebP images, PDF files and text in UTF-8 can be sent.",
      );
    case "too_many_pixels":
      return invalidRequest(
        "data",
        `An image may have at most ${imageSide} pixels on each side, and 50 million in all.`,
      );
    case "too_large":
      return tooLarge("A file", messageBytes);
    case "text_too_large":
      return tooLarge("A text file", textBytes);
  }
}

function noRoom(): ProtocolError {
  const detail = "Too many files are kept. Delete sessions that have files and are not needed.";
  return new ProtocolError("NO_ROOM", detail);
}
