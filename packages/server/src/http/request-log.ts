import type { IncomingMessage, ServerResponse } from "node:http";

import type { Clock } from "@holdpoint/engine";

/** The part of a pino logger that the server uses. */
export interface ServerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What a log line may say of a request. Nothing else of it is ever logged: no path, query, header or body. */
export interface RequestNotes {
  /** The pattern of the route, such as `/api/sessions/{sessionId}`. */
  route?: string;
  tokenId?: string;
  sessionId?: string;
  interactionId?: string;
  /** Of a client on another machine. */
  address?: string;
  /** How the client reached a trusted proxy. */
  protocol?: "http" | "https";
  /** Of a request that came under a foreign name: that name. */
  host?: string;
}

/** A name or an address, with a port or without one. Any other text is not logged. */
const HOST = /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[\da-f:.]{2,45}\](?::\d{1,5})?$/i;

export function isLoggableHost(host: string): boolean {
  return HOST.test(host);
}

const notesByRequest = new WeakMap<IncomingMessage, RequestNotes>();

/** Adds to what the log line of a request will say. */
export function note(incoming: IncomingMessage, notes: RequestNotes): void {
  const known = notesByRequest.get(incoming);
  if (!known) return;
  const { host, ...others } = notes;
  Object.assign(known, others, host !== undefined && isLoggableHost(host) && { host });
}

/** Writes one line when the answer is finished or its connection is gone. */
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

/** Of an error, what cannot hold an answer or a secret: its kind, its code, where it was thrown, and its nearest causes. */
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
