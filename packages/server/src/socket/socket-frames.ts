import { type SerializedFrame, type ServerFrame, toProblem } from "@holdpoint/protocol";

import { toClientError } from "../http/problem-response.ts";

/** The longest header of a client's frame. */
export const FRAME_HEAD_BYTES = 14;

/** The subject of an error: a request, a subscription, or, without either, the connection. */
export interface ErrorSubject {
  readonly requestId?: string | undefined;
  readonly subscriptionId?: string | undefined;
}

/** A session's subscription in the form used by frames. */
export interface SessionSubscription {
  readonly sessionId: string;
  readonly subscriptionId?: string | undefined;
}

export function frameText(frame: ServerFrame): string {
  return JSON.stringify(frame);
}

/** The frame for any error. Details are only given for a `ProtocolError`. */
export function errorText(error: unknown, subject: ErrorSubject = {}): string {
  const problem = toProblem(toClientError(error));
  const { code, detail } = problem;
  return frameText({ type: "error", ...subject, code, message: detail, problem });
}

/** The frame for a result that is already JSON. */
export function resultText(requestId: string, json: string | undefined): string {
  const value = json === undefined ? "" : `,"value":${json}`;
  return `{"type":"result","requestId":${JSON.stringify(requestId)}${value}}`;
}

/** The encoded frames, shared by connections that use the same prefix. */
const sharedBytes = new WeakMap<
  SerializedFrame,
  { readonly start: string; readonly bytes: Buffer }
>();

/** Returns a function that wraps the frames of a session's stream. */
export function wrapSessionFrames(to: SessionSubscription): (frame: SerializedFrame) => Buffer {
  const event = startOf({ type: "chat_event", ...to }, "event");
  const other = startOf({ type: "chat_frame", ...to }, "frame");
  return (frame) => wrap(frame.seq === undefined ? other : event, frame);
}

/** Returns a function that wraps the frames of the overview stream. */
export function wrapOverviewFrames(
  subscriptionId: string | undefined,
): (frame: SerializedFrame) => Buffer {
  const start = startOf({ type: "overview_frame", subscriptionId }, "frame");
  return (frame) => wrap(start, frame);
}

/** The JSON before a frame. The frame's serialised JSON is inserted unchanged. */
function startOf(fields: object, name: "event" | "frame"): string {
  return `${JSON.stringify(fields).slice(0, -1)},"${name}":`;
}

function wrap(start: string, frame: SerializedFrame): Buffer {
  const known = sharedBytes.get(frame);
  if (known?.start === start) return known.bytes;
  const bytes = Buffer.from(`${start}${frame.json}}`);
  sharedBytes.set(frame, { start, bytes });
  return bytes;
}
