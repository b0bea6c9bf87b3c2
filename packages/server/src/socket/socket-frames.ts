import { type SerializedFrame, type ServerFrame, toProblem } from "@holdpoint/protocol";

import { toClientError } from "../http/problem-response.ts";

/** The longest beginning of a frame from a client. */
export const FRAME_HEAD_BYTES = 14;

/** What an error is about: a request, a subscription, or, with neither, the connection. */
export interface ErrorSubject {
  readonly requestId?: string | undefined;
  readonly subscriptionId?: string | undefined;
}

/** The subscription of a session, as frames name it. */
export interface SessionSubscription {
  readonly sessionId: string;
  readonly subscriptionId?: string | undefined;
}

export function frameText(frame: ServerFrame): string {
  return JSON.stringify(frame);
}

/** The frame of any error. One that is no `ProtocolError` gives no detail. */
export function errorText(error: unknown, subject: ErrorSubject = {}): string {
  const problem = toProblem(toClientError(error));
  const { code, detail } = problem;
  return frameText({ type: "error", ...subject, code, message: detail, problem });
}

/** The frame of a result that is JSON already. */
export function resultText(requestId: string, json: string | undefined): string {
  const value = json === undefined ? "" : `,"value":${json}`;
  return `{"type":"result","requestId":${JSON.stringify(requestId)}${value}}`;
}

/** The bytes of frames for all connections that get them behind the same beginning. */
const sharedBytes = new WeakMap<
  SerializedFrame,
  { readonly start: string; readonly bytes: Buffer }
>();

/** Wraps the frames of a session's stream. */
export function wrapSessionFrames(to: SessionSubscription): (frame: SerializedFrame) => Buffer {
  const event = startOf({ type: "chat_event", ...to }, "event");
  const other = startOf({ type: "chat_frame", ...to }, "frame");
  return (frame) => wrap(frame.seq === undefined ? other : event, frame);
}

/** Wraps the frames of the stream over all sessions. */
export function wrapOverviewFrames(
  subscriptionId: string | undefined,
): (frame: SerializedFrame) => Buffer {
  const start = startOf({ type: "overview_frame", subscriptionId }, "frame");
  return (frame) => wrap(start, frame);
}

/** What stands before each frame, which is put in as it was serialised. */
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
