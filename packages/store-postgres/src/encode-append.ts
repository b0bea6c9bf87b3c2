import { type Batch, toSearchable } from "@holdpoint/engine";
import {
  encodeBatch,
  type EncodedBatch,
  encodeGrant,
  type EncodedGrantWrite,
  type EncodedInteraction,
  type EncodedMessage,
  STATUS_NUMBER,
} from "@holdpoint/store-sqlite/rows";

import { toKey, toSearchedText, withoutNul } from "./text-key.ts";
import { toWhole } from "./whole-number.ts";

export interface EncodedAppend {
  /** The argument of `write_append`. */
  readonly argument: object;
  /** The encoded batch that the argument was made from. */
  readonly encoded: EncodedBatch;
}

/** Throws `TypeError` for a batch with rows of another session. */
export function encodeAppend(batch: Batch): EncodedAppend {
  const encoded = encodeBatch(batch);
  const { events, session, interactions, enqueue, dequeue, takenBackAtMs, grants } = encoded;
  const argument = {
    session: withoutNul(encoded.sessionKey),
    ...(batch.session && {
      row: { ...toRow(batch.session), ...session, isBusy: batch.session.status !== "idle" },
    }),
    events,
    ...filled({
      interactions: interactions.map(toInteraction),
      enqueue: enqueue.map(toMessage),
      dequeue: dequeue.map((id) => ({ key: toKey(id) })),
      grants: grants.map(toGrantWrite),
    }),
    ...(takenBackAtMs !== undefined && { takenBackAtMs }),
  };
  return { argument, encoded };
}

/** Omits empty parts, which would cost time. */
function filled(parts: Readonly<Record<string, readonly object[]>>): object {
  return Object.fromEntries(Object.entries(parts).filter(([, writes]) => writes.length > 0));
}

function toRow({ title, cwd, archivedAt, limitedMode }: NonNullable<Batch["session"]>): object {
  return {
    isArchived: archivedAt !== undefined,
    ...(limitedMode && { modeEndsAt: limitedMode.endsAt }),
    title: toSearchedText(toSearchable(title)),
    searched: toSearchedText(toSearchable(`${title} ${cwd}`)),
  };
}

function toMessage({ key, idempotencyKey, attachmentIds, json }: EncodedMessage): object {
  return {
    key: withoutNul(key),
    ...(idempotencyKey !== null && { idempotencyKey: withoutNul(idempotencyKey) }),
    attachments: attachmentIds.map((id) => ({ key: toKey(id) })),
    json,
  };
}

/** A change from pending to answered keeps the deadline, which no longer matters, so that no index is written. */
function toInteraction(encoded: EncodedInteraction): object {
  const { interactionId: _, ...write } = encoded;
  const { key, toolCallKey, answer, status, expectedStatus, hold } = write;
  return {
    ...write,
    key: withoutNul(key),
    toolCallKey: withoutNul(toolCallKey),
    isOfGatewayTool: write.isOfGatewayTool === 1,
    takesLateAnswer: write.takesLateAnswer === 1,
    resumes: status === STATUS_NUMBER.answered && hold === "parked",
    keepsDue: status === STATUS_NUMBER.answered && expectedStatus === STATUS_NUMBER.pending,
    ...(typeof answer === "object" && {
      answer: {
        ...answer,
        person: withoutNul(answer.person),
        tool: withoutNul(answer.tool),
        words: toSearchedText(answer.words),
      },
    }),
  };
}

function toGrantWrite(write: EncodedGrantWrite): object {
  if (write.type !== "assume") return { ...toGrant(write), type: write.type };
  const { type, keyHash, nowMs, keys } = write;
  return {
    type,
    keyHash: withoutNul(keyHash),
    nowMs: toWhole(nowMs),
    keys: [...keys].map(withoutNul),
  };
}

function toGrant(write: Exclude<EncodedGrantWrite, { type: "assume" }>): object {
  const { grantId: _, ...rest } = write;
  return {
    ...rest,
    key: withoutNul(write.key),
    ...("keyHash" in write && { keyHash: withoutNul(write.keyHash) }),
  };
}

/** Encodes a grant without a session as the argument of `write_grant`. */
export function encodeFreeGrant(row: Parameters<typeof encodeGrant>[0]): object {
  return toGrant({ type: "add", ...encodeGrant(row) });
}
