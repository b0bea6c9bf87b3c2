import type { AppendConflict, AppendResult, StoredMessage } from "@holdpoint/engine";

import { type EncodedBatch, type EncodedInteraction, placeEvent } from "./encoded-batch.ts";
import type { Work } from "./group-commit.ts";
import { type InteractionRow, toStoredInteraction } from "./interaction-row.ts";
import { nextHash } from "./next-hash.ts";
import { placeOf } from "./place.ts";
import type { Statements } from "./statements/statements.ts";
import { STATUS_NUMBER } from "./status-number.ts";
import { toKey } from "./text-key.ts";
import { writeGrants } from "./write-grants.ts";

interface SessionPlace {
  readonly session_number: number;
  readonly last_seq: number;
  /** Hash of the last event; `null` before the first one. */
  readonly hash: Uint8Array | null;
}

/**
 * Writes a batch in an open transaction. After a conflict a part of it may be written, so the transaction must be
 * undone.
 */
export function writeBatch(statements: Statements, batch: EncodedBatch): Work<AppendResult> {
  const found = statements.findSession.get(batch.sessionKey) as SessionPlace | undefined;
  if (!found && !batch.session) return conflict({ kind: "no_session" });
  const lastSeq = found?.last_seq ?? 0;
  const sessionNumber = writeSession(statements, batch, found?.session_number);
  const events = batch.events.map((event, index) => {
    const seq = lastSeq + index + 1;
    return { seq, json: placeEvent(event, seq) };
  });
  // Written before the interactions, whose rows refer to their requests in the events.
  insertEvents(statements, events, { sessionNumber, key: batch.chainKey, last: found?.hash });
  const problem =
    writeInteractions(statements, batch, { sessionNumber, lastSeq }) ??
    enqueueMessages(statements, batch, sessionNumber) ??
    noteAttachments(statements, batch, sessionNumber) ??
    dequeueMessages(statements, batch, sessionNumber) ??
    writeGrants(statements, batch.grants, sessionNumber);
  if (problem) return conflict(problem);
  return {
    keep: true,
    entries: events.length,
    value: { status: "appended", events, lastSeq: lastSeq + events.length },
  };
}

function conflict(conflict: AppendConflict): Work<AppendResult> {
  return { keep: false, value: { status: "conflict", conflict } };
}

function writeSession(
  statements: Statements,
  { sessionKey, session }: EncodedBatch,
  sessionNumber: number | undefined,
): number {
  if (sessionNumber === undefined) {
    const row = statements.insertSession.get(
      sessionKey,
      session?.updatedAtMs ?? null,
      session?.isBusy ?? null,
      session?.json ?? null,
    ) as unknown as SessionPlace;
    return row.session_number;
  }
  if (session) {
    const { updatedAtMs, isBusy, json } = session;
    statements.updateSession.run(updatedAtMs, isBusy, json, sessionNumber);
  }
  return sessionNumber;
}

function insertEvents(
  { insertEvent }: Statements,
  events: readonly { readonly seq: number; readonly json: string }[],
  place: {
    readonly sessionNumber: number;
    readonly key: string;
    /** The hash from which the log continues. */
    readonly last: Uint8Array | null | undefined;
  },
): void {
  let previous = place.last ?? null;
  for (const { seq, json } of events) {
    previous = nextHash(previous, { key: place.key, seq, json });
    insertEvent.run(placeOf(place.sessionNumber, seq), previous, json);
  }
}

/** The session that a batch is written to. */
interface BatchPlace {
  readonly sessionNumber: number;
  /** The log's last `seq` before the batch. */
  readonly lastSeq: number;
}

function writeInteractions(
  statements: Statements,
  { interactions }: EncodedBatch,
  place: BatchPlace,
): AppendConflict | undefined {
  for (const interaction of interactions) {
    if (writeInteraction(statements, interaction, place)) {
      writeAnswer(statements, interaction);
      continue;
    }
    const row = statements.getInteraction.get(interaction.key) as
      | (InteractionRow & { session_number: number })
      | undefined;
    const isOwn = row?.session_number === place.sessionNumber;
    return {
      kind: "interaction",
      interactionId: interaction.interactionId,
      ...(row && isOwn && { current: toStoredInteraction(row) }),
    };
  }
  return undefined;
}

/** Compare and set. Returns false when the row is not as expected. */
function writeInteraction(
  statements: Statements,
  interaction: EncodedInteraction,
  place: BatchPlace,
): boolean {
  const { key, expectedStatus, expectedHold, expectedStage } = interaction;
  const { status, stage, hold, dueAtMs, json } = interaction;
  if (expectedStatus === undefined) return insertInteraction(statements, interaction, place);
  const found = [key, place.sessionNumber, expectedStatus, expectedHold, expectedStage];
  const isAnswer = status === STATUS_NUMBER.answered && expectedStatus === STATUS_NUMBER.pending;
  const { changes } = isAnswer
    ? statements.answerInteraction.run(status, hold, json, ...found)
    : statements.moveInteraction.run(status, hold, json, stage, dueAtMs, ...found);
  return changes === 1;
}

function writeAnswer(
  { insertAnswer, noteAnswer, deleteAnswer }: Statements,
  { key, answer }: EncodedInteraction,
): void {
  if (answer === "taken_back") deleteAnswer.run(key);
  else if (answer) {
    const { atMs, words, person, tool, action } = answer;
    insertAnswer.run(atMs, words, key, person, tool, action);
    noteAnswer.run(key);
  }
}

function insertInteraction(
  statements: Statements,
  interaction: EncodedInteraction,
  { sessionNumber, lastSeq }: BatchPlace,
): boolean {
  const { changes } = statements.insertInteraction.run(
    interaction.key,
    sessionNumber,
    interaction.requestIndex === undefined ? null : lastSeq + interaction.requestIndex + 1,
    interaction.toolCallKey,
    interaction.isOfGatewayTool,
    interaction.takesLateAnswer,
    interaction.startedAtMs,
    interaction.status,
    interaction.stage,
    interaction.hold,
    interaction.dueAtMs,
    interaction.json,
    interaction.request,
  );
  return changes === 1;
}

function enqueueMessages(
  { insertMessage, findConflictingMessage }: Statements,
  { enqueue }: EncodedBatch,
  sessionNumber: number,
): AppendConflict | undefined {
  for (const { messageId, key, idempotencyKey, json } of enqueue) {
    if (insertMessage.run(sessionNumber, key, idempotencyKey, json).changes === 1) continue;
    const row = findConflictingMessage.get(sessionNumber, key, idempotencyKey) as { json: string };
    return { kind: "message", messageId, current: JSON.parse(row.json) };
  }
  return undefined;
}

/**
 * Marks the messages' attachments as sent: they are kept as long as the session, or until the messages are taken back.
 */
function noteAttachments(
  { noteAttachmentSent }: Statements,
  { enqueue }: EncodedBatch,
  sessionNumber: number,
): AppendConflict | undefined {
  for (const attachmentId of enqueue.flatMap(({ attachmentIds }) => attachmentIds)) {
    const { changes } = noteAttachmentSent.run(sessionNumber, toKey(attachmentId));
    if (changes === 0) return { kind: "attachment", attachmentId };
  }
  return undefined;
}

function dequeueMessages(
  statements: Statements,
  { dequeue, takenBackAtMs }: EncodedBatch,
  sessionNumber: number,
): AppendConflict | undefined {
  const { dequeueMessage, findConflictingMessage, noteAttachmentTakenBack } = statements;
  for (const messageId of dequeue) {
    const key = toKey(messageId);
    const taken = dequeueMessage.get(sessionNumber, key) as { json: string } | undefined;
    if (taken) {
      if (takenBackAtMs === undefined) continue;
      const { attachments = [] } = JSON.parse(taken.json) as StoredMessage;
      for (const { attachmentId } of attachments) {
        noteAttachmentTakenBack.run(takenBackAtMs, sessionNumber, toKey(attachmentId));
      }
      continue;
    }
    const row = findConflictingMessage.get(sessionNumber, key, null) as
      | { json: string }
      | undefined;
    return { kind: "message", messageId, ...(row && { current: JSON.parse(row.json) }) };
  }
  return undefined;
}
