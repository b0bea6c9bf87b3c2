import type { AgentInfo, Interaction, QueuedMessage, RespondResult } from "@holdpoint/protocol";

import { toRefusal } from "../respond-result.ts";
import type { CallOptions, GrantCalls, InteractionCalls, SessionCalls } from "../transport.ts";
import type { HttpCall, HttpRequester } from "./http-request.ts";

/** All of a transport but its streams, each a request and its answer. */
export function createHttpCalls(requester: HttpRequester, clientId: string): HttpCalls {
  return {
    ...createSessionCalls(requester),
    ...createInteractionCalls(requester, clientId),
    ...createGrantCalls(requester),
  };
}

export type HttpCalls = SessionCalls & InteractionCalls & GrantCalls;

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

export function sessionPath(sessionId: string, rest = ""): string {
  return `/api/sessions/${encodeURIComponent(sessionId)}${rest}`;
}

function get(path: string, { signal }: CallOptions = {}): HttpCall {
  return { method: "GET", path, signal };
}

function post(path: string, body: unknown, { signal }: CallOptions = {}): HttpCall {
  return { method: "POST", path, body, signal };
}
