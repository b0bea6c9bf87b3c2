import { type Batch, chainKey, historyText, type InteractionWrite } from "@holdpoint/engine";
import {
  type Interaction,
  isAnswered,
  isLate,
  takesLateAnswer,
  type UnplacedEvent,
} from "@holdpoint/protocol";

import { encodeGrantWrite, type EncodedGrantWrite, ownersOfGrant } from "./encoded-grant.ts";
import { encodeRow } from "./interaction-row.ts";
import { stageOf, STATUS_NUMBER } from "./status-number.ts";
import { toKey } from "./text-key.ts";

/**
 * A batch as columns and JSON text, encoded when the batch is submitted, so that later changes to the batch have no
 * effect.
 */
export interface EncodedBatch {
  readonly sessionKey: string;
  /** The session's key in the hashes of its events. */
  readonly chainKey: string;
  /** JSON of each event without its `seq`, which is assigned on writing. */
  readonly events: readonly string[];
  readonly session: EncodedSession | undefined;
  readonly interactions: readonly EncodedInteraction[];
  readonly enqueue: readonly EncodedMessage[];
  readonly dequeue: readonly string[];
  /** `undefined`: the dequeued messages go to the agent. */
  readonly takenBackAtMs: number | undefined;
  readonly grants: readonly EncodedGrantWrite[];
}

export interface EncodedSession {
  readonly updatedAtMs: number;
  readonly isBusy: 0 | 1;
  readonly json: string;
}

export interface EncodedInteraction {
  readonly interactionId: string;
  readonly key: string;
  readonly toolCallKey: string;
  readonly isOfGatewayTool: 0 | 1;
  readonly takesLateAnswer: 0 | 1;
  readonly startedAtMs: number;
  /** `undefined`: the row does not exist yet. */
  readonly expectedStatus: number | undefined;
  readonly expectedHold: string | null;
  /** The stage of the row before the write. */
  readonly expectedStage: number | null;
  readonly status: number;
  readonly stage: number;
  readonly hold: string;
  /** The deadline, or when a late interaction was closed, in milliseconds since the epoch. */
  readonly dueAtMs: number | null;
  readonly json: string;
  /** The effect on the history: a new answer, its removal, or none. */
  readonly answer: EncodedAnswer | "taken_back" | undefined;
  /** For a new row: the index of the event with its request. */
  readonly requestIndex: number | undefined;
  /** For a new row without such an event: the request itself, as `{"interaction": …}`. */
  readonly request: string | null;
}

/** The searchable facts of an answer. Its agent is the session's. */
interface EncodedAnswer {
  readonly atMs: number;
  readonly person: string;
  readonly tool: string;
  readonly action: string;
  readonly words: string;
}

export interface EncodedMessage {
  readonly messageId: string;
  readonly key: string;
  readonly idempotencyKey: string | null;
  readonly attachmentIds: readonly string[];
  readonly json: string;
}

/**
 * Encodes a batch. Throws `TypeError` for rows of another session, which is a bug of the caller and not a
 * conflict.
 */
export function encodeBatch(batch: Batch): EncodedBatch {
  assertOwnRows(batch);
  const { sessionId, session, events = [], interactions = [] } = batch;
  const { enqueue = [], dequeue = [], takenBackAtMs, grants = [] } = batch;
  return {
    sessionKey: toKey(sessionId),
    chainKey: chainKey(sessionId),
    events: events.map(encodeEvent),
    session: session && {
      updatedAtMs: Date.parse(session.updatedAt),
      isBusy: session.status === "idle" ? 0 : 1,
      json: JSON.stringify(session),
    },
    interactions: interactions.map((write) => encodeInteraction(write, events)),
    enqueue: enqueue.map((message) => ({
      messageId: message.messageId,
      key: toKey(message.messageId),
      idempotencyKey: message.idempotencyKey === undefined ? null : toKey(message.idempotencyKey),
      attachmentIds: message.attachments?.map(({ attachmentId }) => attachmentId) ?? [],
      json: JSON.stringify(message),
    })),
    dequeue,
    takenBackAtMs,
    grants: grants.map(encodeGrantWrite),
  };
}

/** Encodes an event without its `seq`, and with `at` first. */
function encodeEvent({ at, ...rest }: UnplacedEvent): string {
  return JSON.stringify({ at, ...rest });
}

function encodeInteraction(
  write: InteractionWrite,
  events: readonly UnplacedEvent[],
): EncodedInteraction {
  const { row, expectedStatus, expectedHold, leavesOverview } = write;
  const { interaction, call, leftOverview } = row;
  const { interactionId, toolCallId, status, hold, startedAt } = interaction;
  const hadLeft = leftOverview && !leavesOverview;
  return {
    interactionId,
    key: toKey(interactionId),
    toolCallKey: toKey(toolCallId),
    isOfGatewayTool: call ? 1 : 0,
    takesLateAnswer: takesLateAnswer(interaction) ? 1 : 0,
    startedAtMs: Date.parse(startedAt),
    expectedStatus: expectedStatus && STATUS_NUMBER[expectedStatus],
    expectedHold: expectedHold ?? null,
    expectedStage: expectedStatus === undefined ? null : stageOf(expectedStatus, hadLeft),
    status: STATUS_NUMBER[status],
    stage: stageOf(status, leftOverview),
    hold,
    dueAtMs: dueAtMsOf(interaction),
    json: encodeRow(row),
    answer: encodeAnswer(write),
    ...encodeRequest(write, events),
  };
}

function encodeAnswer({ row, expectedStatus }: InteractionWrite): EncodedInteraction["answer"] {
  const { interaction } = row;
  const had = expectedStatus !== undefined && isAnswered(expectedStatus);
  const has = isAnswered(interaction.status);
  if (had === has) return undefined;
  if (had) return "taken_back";
  const { by, response, toolName } = interaction;
  if (!by) return undefined;
  return {
    atMs: Date.parse(by.at),
    person: toKey(by.person),
    tool: toKey(toolName),
    action: response?.action ?? "",
    words: historyText(interaction),
  };
}

function dueAtMsOf({ status, startedAt, deadlineAt, closedAt }: Interaction): number | null {
  if (isLate(status)) return Date.parse(closedAt ?? startedAt);
  return deadlineAt === undefined ? null : Date.parse(deadlineAt);
}

type PlacedRequest = Pick<EncodedInteraction, "requestIndex" | "request">;

function encodeRequest(
  { row, expectedStatus }: InteractionWrite,
  events: readonly UnplacedEvent[],
): PlacedRequest {
  if (expectedStatus !== undefined) return { requestIndex: undefined, request: null };
  const { interaction } = row;
  const index = events.findIndex((event) => isRequestOf(event, interaction));
  return index === -1
    ? { requestIndex: undefined, request: JSON.stringify({ interaction }) }
    : { requestIndex: index, request: null };
}

function isRequestOf(event: UnplacedEvent, { interactionId }: Interaction): boolean {
  return event.type === "interaction_request" && event.interaction.interactionId === interactionId;
}

/** Returns the stored text of an event, with `seq` first and then `at`. */
export function placeEvent(event: string, seq: number): string {
  return `{"seq":${seq},${event.slice(1)}`;
}

function assertOwnRows(batch: Batch): void {
  const { sessionId, session, interactions = [], enqueue = [], grants = [] } = batch;
  const owners = [
    ...(session ? [session.sessionId] : []),
    ...interactions.map(({ row }) => row.interaction.sessionId),
    ...enqueue.map((message) => message.sessionId),
    ...grants.flatMap(ownersOfGrant),
  ];
  if (owners.some((owner) => owner !== sessionId)) {
    throw new TypeError("A batch can write only rows of its session.");
  }
}
