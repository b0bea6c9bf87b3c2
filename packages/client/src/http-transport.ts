import type {
  AgentInfo,
  Cursor,
  Interaction,
  OverviewFrame,
  QueuedMessage,
  RespondResult,
  SessionFrame,
} from "@holdpoint/protocol";

import { createBrowserClock } from "./browser-clock.ts";
import { ClientError } from "./client-error.ts";
import type { Clock } from "./clock.ts";
import { createHttpRequester } from "./http-request.ts";
import type { HttpCall, HttpRequester } from "./http-request.ts";
import { followHttpStream } from "./http-stream.ts";
import type { HttpStreamOptions } from "./http-stream.ts";
import { toRefusal } from "./respond-result.ts";
import type { CallOptions, Transport } from "./transport.ts";
import { REQUEST_TIMEOUT_MS } from "./within-timeout.ts";

export interface HttpTransportOptions {
  /** Origin of the gateway, such as `http://127.0.0.1:4270`. */
  readonly baseUrl: string;
  /** The bearer token, or how to get the one of the moment. */
  readonly token: string | (() => string | undefined);
  readonly clientId: string;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  /** How long a request may take, opening a stream included. Default 30 s. */
  readonly requestTimeoutMs?: number;
}

/**
 * Reaches a gateway over HTTP, and its streams as server-sent events read with `fetch`, so that no secret is ever
 * part of a URL. Disposing it breaks what is under way with `CONNECTION_CLOSED`.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { clientId, clock = createBrowserClock() } = options;
  const closed = new AbortController();
  const requester = createHttpRequester({
    baseUrl: options.baseUrl,
    token: options.token,
    clientId,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    clock,
    requestTimeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    closed: closed.signal,
  });
  const follow = <TFrame extends { readonly type: string }>(
    call: Pick<HttpCall, "path" | "query"> & { readonly headers?: Record<string, string> },
    signal: AbortSignal,
  ): AsyncIterable<readonly TFrame[]> =>
    followHttpStream<TFrame>(requester, {
      ...call,
      clock,
      signal,
      clientId,
      closed: closed.signal,
    });
  return {
    clientId,
    ...createSessionCalls(requester),
    ...createInteractionCalls(requester, clientId),
    ...createGrantCalls(requester),
    followSession: (sessionId, cursor, { signal }) =>
      follow<SessionFrame>(
        { path: sessionPath(sessionId, "/events"), ...toResumption(cursor) },
        signal,
      ),
    followOverview: ({ signal }) => follow<OverviewFrame>({ path: "/api/events" }, signal),
    async [Symbol.asyncDispose]() {
      closed.abort(new ClientError("CONNECTION_CLOSED", "The transport is closed."));
    },
  };
}

type SessionCalls = Pick<
  Transport,
  | "listAgents"
  | "createSession"
  | "listSessions"
  | "getSession"
  | "updateSession"
  | "deleteSession"
  | "sendMessage"
  | "listQueue"
  | "removeQueuedMessage"
  | "stopTurn"
  | "readEvents"
>;

function createSessionCalls({ request }: HttpRequester): SessionCalls {
  return {
    async listAgents(options) {
      const { items } = await request<{ items: AgentInfo[] }>(get("/api/agents", options));
      return items;
    },
    createSession: (body, options) => request(post("/api/sessions", body, options)),
    listSessions: (query = {}, options) => request({ ...get("/api/sessions", options), query }),
    getSession: (sessionId, options) => request(get(sessionPath(sessionId), options)),
    updateSession: (sessionId, body, { signal } = {}) =>
      request({ method: "PATCH", path: sessionPath(sessionId), body, signal }),
    deleteSession: (sessionId, { signal } = {}) =>
      request({ method: "DELETE", path: sessionPath(sessionId), signal }),
    sendMessage: (sessionId, body, options) =>
      request(post(sessionPath(sessionId, "/messages"), body, options)),
    async listQueue(sessionId, options) {
      const path = sessionPath(sessionId, "/queue");
      return (await request<{ items: QueuedMessage[] }>(get(path, options))).items;
    },
    removeQueuedMessage: (sessionId, messageId, { signal } = {}) =>
      request({
        method: "DELETE",
        path: sessionPath(sessionId, `/queue/${encodeURIComponent(messageId)}`),
        signal,
      }),
    async stopTurn(sessionId, options) {
      await request(post(sessionPath(sessionId, "/stop"), {}, options));
    },
    readEvents: (sessionId, query = {}, options) =>
      request({ ...get(sessionPath(sessionId, "/events"), options), query }),
  };
}

type InteractionCalls = Pick<
  Transport,
  | "listInteractions"
  | "getInteraction"
  | "respond"
  | "submitAnswers"
  | "approveTool"
  | "denyTool"
  | "setInteractionMode"
>;

type GrantCalls = Pick<Transport, "listGrants" | "revokeGrant">;

function createInteractionCalls(
  { ask, request }: HttpRequester,
  clientId: string,
): InteractionCalls {
  const respond = async (call: HttpCall): Promise<RespondResult> => {
    const answer = await ask<{ interaction: Interaction }>(call);
    if (!answer.ok) return toRefusal(answer.problem);
    return { status: "accepted", interaction: answer.value.interaction };
  };
  return {
    listInteractions: ({ status, ...query } = {}, options) =>
      request({
        ...get("/api/interactions", options),
        query: { ...query, status: status?.join(",") },
      }),
    getInteraction: (interactionId, options) =>
      request(get(`/api/interactions/${encodeURIComponent(interactionId)}`, options)),
    respond: (interactionId, body, options) => {
      const path = `/api/interactions/${encodeURIComponent(interactionId)}/response`;
      return respond(post(path, body, options));
    },
    submitAnswers: (sessionId, toolCallId, answers, options) =>
      respond(post(sessionPath(sessionId, "/submit-answers"), { toolCallId, answers }, options)),
    approveTool: (sessionId, toolCallId, options) =>
      respond(post(sessionPath(sessionId, "/approve"), { toolCallId }, options)),
    denyTool: (sessionId, toolCallId, reason, options) =>
      respond(post(sessionPath(sessionId, "/deny"), { toolCallId, reason }, options)),
    async setInteractionMode(enabled, { signal } = {}) {
      const path = `/api/clients/${encodeURIComponent(clientId)}/interaction-mode`;
      await request({ method: "PUT", path, body: { enabled }, signal });
    },
  };
}

function createGrantCalls({ request }: HttpRequester): GrantCalls {
  return {
    listGrants: (query = {}, options) => request({ ...get("/api/grants", options), query }),
    revokeGrant: (grantId, { signal } = {}) =>
      request({ method: "DELETE", path: `/api/grants/${encodeURIComponent(grantId)}`, signal }),
  };
}

function toResumption({ epoch, seq }: Cursor): Pick<HttpStreamOptions, "query" | "headers"> {
  if (epoch === undefined) return { query: { after: seq } };
  return { query: { after: seq }, headers: { "Last-Event-ID": `${epoch}.${seq}` } };
}

function sessionPath(sessionId: string, rest = ""): string {
  return `/api/sessions/${encodeURIComponent(sessionId)}${rest}`;
}

function get(path: string, { signal }: CallOptions = {}): HttpCall {
  return { method: "GET", path, signal };
}

function post(path: string, body: unknown, { signal }: CallOptions = {}): HttpCall {
  return { method: "POST", path, body, signal };
}
