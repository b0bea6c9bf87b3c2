import type { Batch, InteractionWrite } from "@holdpoint/engine";
import {
  type Interaction,
  type InteractionStatus,
  isFinal,
  type UnplacedEvent,
} from "@holdpoint/protocol";

import { encodeGrantWrite, type EncodedGrantWrite, ownersOfGrant } from "./encoded-grant.ts";
import { STATUS_NUMBER } from "./status-number.ts";
import { toKey } from "./text-key.ts";

/** A batch as columns and JSON text. It is made when the batch is submitted, so that later changes of the batch have no effect. */
export interface EncodedBatch {
  readonly sessionKey: string;
  /** JSON of each event without its `seq`, which is known only when it is written. */
  readonly events: readonly string[];
  readonly session: EncodedSession | undefined;
  readonly interactions: readonly EncodedInteraction[];
  readonly enqueue: readonly EncodedMessage[];
  readonly dequeue: readonly string[];
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
  /** `undefined`: there is no such row yet. */
  readonly expected: { readonly status: number; readonly isOpen: 0 | 1 } | undefined;
  readonly expectedHold: string | null;
  readonly status: number;
  readonly hold: string;
  readonly isOpen: 0 | 1;
  readonly startedAtMs: number;
  readonly deadlineAtMs: number | null;
  readonly json: string;
}

export interface EncodedMessage {
  readonly messageId: string;
  readonly key: string;
  readonly idempotencyKey: string | null;
  readonly json: string;
}

/** Throws `TypeError` for a batch with rows of another session: that is a bug of the caller, not a conflict. */
export function encodeBatch(batch: Batch): EncodedBatch {
  assertOwnRows(batch);
  const { sessionId, session, events = [], interactions = [] } = batch;
  const { enqueue = [], dequeue = [], grants = [] } = batch;
  const textOf = createInteractionTexts();
  return {
    sessionKey: toKey(sessionId),
    events: events.map((event) => encodeEvent(event, textOf)),
    session: session && {
      updatedAtMs: Date.parse(session.updatedAt),
      isBusy: session.status === "idle" ? 0 : 1,
      json: JSON.stringify(session),
    },
    interactions: interactions.map((write) => encodeInteraction(write, textOf)),
    enqueue: enqueue.map((message) => ({
      messageId: message.messageId,
      key: toKey(message.messageId),
      idempotencyKey: message.idempotencyKey === undefined ? null : toKey(message.idempotencyKey),
      json: JSON.stringify(message),
    })),
    dequeue,
    grants: grants.map(encodeGrantWrite),
  };
}

type TextOf = (interaction: Interaction) => string;

/** A request stands in the log and in its row: the largest part of both is made into text once. */
function createInteractionTexts(): TextOf {
  const texts = new Map<Interaction, string>();
  return (interaction) => {
    const text = texts.get(interaction) ?? JSON.stringify(interaction);
    texts.set(interaction, text);
    return text;
  };
}

/** Without its `seq`, and with `at` first. */
function encodeEvent({ at, ...rest }: UnplacedEvent, textOf: TextOf): string {
  if (rest.type !== "interaction_request") return JSON.stringify({ at, ...rest });
  const { interaction, ...others } = rest;
  return withMember(JSON.stringify({ at, ...others }), "interaction", textOf(interaction));
}

/** The text of an object with one member more, at its end. */
function withMember(object: string, name: string, text: string): string {
  const separator = object === "{}" ? "" : ",";
  return `${object.slice(0, -1)}${separator}"${name}":${text}}`;
}

function encodeInteraction(
  { row, expectedStatus, expectedHold }: InteractionWrite,
  textOf: TextOf,
): EncodedInteraction {
  const { interaction, ...others } = row;
  const { interactionId, toolCallId, status, hold, startedAt, deadlineAt } = interaction;
  return {
    interactionId,
    key: toKey(interactionId),
    toolCallKey: toKey(toolCallId),
    isOfGatewayTool: row.call ? 1 : 0,
    expected: expectedStatus && encodeStatus(expectedStatus),
    expectedHold: expectedHold ?? null,
    ...encodeStatus(status),
    hold,
    startedAtMs: Date.parse(startedAt),
    deadlineAtMs: deadlineAt === undefined ? null : Date.parse(deadlineAt),
    json: withMember(JSON.stringify(others), "interaction", textOf(interaction)),
  };
}

function encodeStatus(status: InteractionStatus): { status: number; isOpen: 0 | 1 } {
  return { status: STATUS_NUMBER[status], isOpen: isFinal(status) ? 0 : 1 };
}

/** The stored text of an event: `seq` first, then `at`. */
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
    throw new TypeError("A batch writes only rows of its own session.");
  }
}
