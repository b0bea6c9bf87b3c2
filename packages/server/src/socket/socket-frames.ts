import { type SerializedFrame, type ServerFrame, toProblem } from "@holdpoint/protocol";

import { toClientError } from "../http/problem-response.ts";

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

/** A frame of a session's stream, wrapped as it was serialised. */
export function sessionFrameText(to: SessionSubscription, frame: SerializedFrame): string {
  return frame.seq === undefined
    ? wrap({ type: "chat_frame", ...to }, "frame", frame)
    : wrap({ type: "chat_event", ...to }, "event", frame);
}

/** A frame of the stream over all sessions, wrapped as it was serialised. */
export function overviewFrameText(
  subscriptionId: string | undefined,
  frame: SerializedFrame,
): string {
  return wrap({ type: "overview_frame", subscriptionId }, "frame", frame);
}

function wrap(envelope: object, name: "event" | "frame", { json }: SerializedFrame): string {
  return `${JSON.stringify(envelope).slice(0, -1)},"${name}":${json}}`;
}
