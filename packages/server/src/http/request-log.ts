import type { IncomingMessage, ServerResponse } from "node:http";

import type { Clock } from "@holdpoint/engine";

/** The part of a pino logger that the server uses. */
export interface ServerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The loggable facts of a request. Paths, queries, headers and bodies are never logged. */
export interface RequestNotes {
  /** The route's pattern, such as `/api/sessions/{sessionId}`. */
  route?: string;
  tokenId?: string;
  sessionId?: string;
  interactionId?: string;
  /** The client's address, if it is on another machine. */
  address?: string;
  /** The protocol between the client and a trusted proxy. */
  protocol?: "http" | "https";
  /** The host name, if it is foreign. */
  host?: string;
}

/** A name or address, with or without a port. Other text is not logged. */
const HOST = /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[\da-f:.]{2,45}\](?::\d{1,5})?$/i;

export function isLoggableHost(host: string): boolean {
  return HOST.test(host);
}

const notesByRequest = new WeakMap<IncomingMessage, RequestNotes>();

/** Adds fields to a request's log line. */
export function note(incoming: IncomingMessage, notes: RequestNotes): void {
  const known = notesByRequest.get(incoming);
  if (!known) return;
  const { host, ...others } = notes;
  Object.assign(known, others, host !== undefined && isLoggableHost(host) && { host });
}

/** Writes one line when the answer is finished or the connection is gone. */
export function logRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { log, clock }: { log: ServerLog; clock: Clock },
): void {
  const startedAtMs = clock.monotonic();
  const notes: RequestNotes = {};
  notesByRequest.set(incoming, notes);
  outgoing.once("close", () => {
    log.info(
      {
        method: incoming.method,
        status: outgoing.statusCode,
        durationMs: clock.monotonic() - startedAtMs,
        ...notes,
      },
      "request",
    );
  });
}

/** The parts of an error that cannot contain an answer or a secret: name, code, stack frames and nearest causes. */
export function describeError(error: unknown, maxCauses = 4): object {
  if (!(error instanceof Error)) return { errorName: typeof error };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    errorName: error.name,
    ...("code" in error && { errorCode: String(error.code) }),
    stack: frames.slice(0, 12).join("\n"),
    ...(error.cause !== undefined &&
      maxCauses > 0 && { cause: describeError(error.cause, maxCauses - 1) }),
  };
}
