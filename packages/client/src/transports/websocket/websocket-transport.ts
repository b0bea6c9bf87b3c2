import type {
  AgentInfo,
  HelloFrame,
  Interaction,
  QueuedMessage,
  RespondResult,
} from "@holdpoint/protocol";

import { createBrowserRandomness } from "../../lib/randomness.ts";
import type { Randomness } from "../../lib/randomness.ts";
import { toRefusal } from "../respond-result.ts";
import { createTransportScope } from "../transport-scope.ts";
import type { TransportScopeOptions } from "../transport-scope.ts";
import type { GrantCalls, InteractionCalls, SessionCalls, Transport } from "../transport.ts";
import type { WebSocketLike } from "./websocket-connection.ts";
import { createWebSocketLink } from "./websocket-link.ts";
import { createWebSocketRequester } from "./websocket-request.ts";
import type { WebSocketCall, WebSocketRequester } from "./websocket-request.ts";
import {
  createHello,
  createWebSocketStreams,
  openWebSocketConnection,
} from "./websocket-streams.ts";

export interface WebSocketTransportOptions extends TransportScopeOptions {
  /** Origin of the gateway, such as `http://127.0.0.1:4270`. */
  readonly baseUrl: string;
  /** The bearer token, or how to get the one of the moment; sent in the first frame, never in a URL. */
  readonly token: string | (() => string | undefined);
  readonly clientId: string;
  /** Whether this client can show what asks, and may answer now. Default: as the gateway remembers it. */
  readonly interaction?: { readonly supported: boolean; readonly enabled: boolean };
  readonly randomness?: Randomness;
  /** Default: that of the platform. */
  readonly WebSocket?: new (url: string) => WebSocketLike;
}

/**
 * Reaches a gateway over one WebSocket for everything, streams included; it is opened when needed and closed when
 * nothing uses it. Messages and responses always carry an idempotency key, so that one whose connection broke is sent
 * again without counting twice. Disposing it breaks what is under way with `CONNECTION_CLOSED`.
 */
export function createWebSocketTransport(options: WebSocketTransportOptions): Transport {
  const { clientId, token, randomness = createBrowserRandomness() } = options;
  const scope = createTransportScope(options);
  let { interaction } = options;
  const toHello = (): HelloFrame => ({
    ...createHello(clientId, token),
    ...(interaction && { interaction }),
  });
  const link = createWebSocketLink({
    ...scope,
    open: () => openWebSocketConnection({ ...options, ...scope, hello: toHello() }),
  });
  const requester = createWebSocketRequester(link, scope);
  return {
    clientId,
    ...createSessionCalls(requester, randomness),
    ...createInteractionCalls(requester, randomness),
    ...createGrantCalls(requester),
    ...createWebSocketStreams(link, scope),
    async setInteractionMode(enabled, { signal } = {}) {
      await requester.request({
        method: "setInteractionMode",
        params: { body: { enabled } },
        signal,
      });
      interaction = { supported: true, enabled };
    },
    [Symbol.asyncDispose]: scope[Symbol.asyncDispose],
  };
}

function createSessionCalls({ request }: WebSocketRequester, randomness: Randomness): SessionCalls {
  return {
    async listAgents({ signal } = {}) {
      return (await request<{ items: AgentInfo[] }>({ method: "listAgents", signal })).items;
    },
    createSession: (body, { signal } = {}) =>
      request({ method: "createSession", params: { body }, signal }),
    listSessions: (query = {}, { signal } = {}) =>
      request({ method: "listSessions", params: { query }, signal }),
    getSession: (sessionId, { signal } = {}) =>
      request({ method: "getSession", params: { sessionId }, signal }),
    updateSession: (sessionId, body, { signal } = {}) =>
      request({ method: "updateSession", params: { sessionId, body }, signal }),
    deleteSession: (sessionId, { signal } = {}) =>
      request({ method: "deleteSession", params: { sessionId }, signal }),
    sendMessage: (sessionId, body, { signal } = {}) => {
      const params = { sessionId, body: withKey(body, randomness) };
      return request({ method: "sendMessage", params, signal });
    },
    async listQueue(sessionId, { signal } = {}) {
      const call: WebSocketCall = { method: "listQueue", params: { sessionId }, signal };
      return (await request<{ items: QueuedMessage[] }>(call)).items;
    },
    removeQueuedMessage: (sessionId, messageId, { signal } = {}) =>
      request({ method: "removeQueuedMessage", params: { sessionId, messageId }, signal }),
    stopTurn: (sessionId, { signal } = {}) =>
      request({ method: "stopTurn", params: { sessionId }, signal }),
    readEvents: (sessionId, query = {}, { signal } = {}) =>
      request({ method: "readEvents", params: { sessionId, query }, signal }),
  };
}

function createGrantCalls({ request }: WebSocketRequester): GrantCalls {
  return {
    listGrants: (query = {}, { signal } = {}) =>
      request({ method: "listGrants", params: { query }, signal }),
    revokeGrant: (grantId, { signal } = {}) =>
      request({ method: "revokeGrant", params: { grantId }, signal }),
  };
}

function createInteractionCalls(
  { ask, request }: WebSocketRequester,
  randomness: Randomness,
): Omit<InteractionCalls, "setInteractionMode"> {
  const respond = async (call: WebSocketCall): Promise<RespondResult> => {
    const answer = await ask<{ interaction: Interaction }>(call);
    if (!answer.ok) return toRefusal(answer.problem);
    return { status: "accepted", interaction: answer.value.interaction };
  };
  return {
    listInteractions: ({ status, ...rest } = {}, { signal } = {}) => {
      const query = { ...rest, status: status?.join(",") };
      return request({ method: "listInteractions", params: { query }, signal });
    },
    getInteraction: (interactionId, { signal } = {}) =>
      request({ method: "getInteraction", params: { interactionId }, signal }),
    respond: (interactionId, body, { signal } = {}) => {
      const params = { interactionId, body: withKey(body, randomness) };
      return respond({ method: "respond", params, signal });
    },
    submitAnswers: (sessionId, toolCallId, answers, { signal } = {}) => {
      const params = { sessionId, body: { toolCallId, answers } };
      return respond({ method: "submitAnswers", params, signal });
    },
    approveTool: (sessionId, toolCallId, { signal } = {}) =>
      respond({ method: "approveTool", params: { sessionId, body: { toolCallId } }, signal }),
    denyTool: (sessionId, toolCallId, reason, { signal } = {}) => {
      const params = { sessionId, body: { toolCallId, reason } };
      return respond({ method: "denyTool", params, signal });
    },
  };
}

function withKey<T extends { idempotencyKey?: string | undefined }>(
  body: T,
  randomness: Randomness,
): T {
  return { ...body, idempotencyKey: body.idempotencyKey ?? randomness.key() };
}
