import {
  approveBodySchema,
  createSessionBodySchema,
  denyBodySchema,
  eventPageQuerySchema,
  interactionListQuerySchema,
  interactionModeBodySchema,
  listQuerySchema,
  respondBodySchema,
  sendMessageBodySchema,
  submitAnswersBodySchema,
  updateSessionBodySchema,
} from "@holdpoint/protocol";
import type { Caller, GatewayApi, OverviewFrame, SessionFrame } from "@holdpoint/protocol";

import type { GrantCalls, InteractionCalls, SessionCalls, Transport } from "../transport.ts";
import { createDirectCalls } from "./direct-call.ts";
import type { DirectCalls } from "./direct-call.ts";
import { MAX_RESPONSE_BYTES, parseBody, parseInput } from "./direct-input.ts";

export interface DirectTransportOptions {
  readonly gateway: GatewayApi;
  /** Who answers: the host has made sure of that. */
  readonly person: string;
  /** What this host calls itself, such as the name of an editor. */
  readonly client: string;
  readonly clientId: string;
}

/**
 * Reaches a gateway in the same process, for hosts that embed one. Behaves as over a wire: what goes in and out is
 * copied as JSON and checked by the same schemas. Disposing it ends its streams, not the gateway.
 */
export function createDirectTransport(options: DirectTransportOptions): Transport {
  const { gateway, person, client, clientId } = options;
  const caller: Caller = { principal: "person", person, client, clientId };
  const calls = createDirectCalls();
  const announced = <TFrame extends { readonly type: string }>(
    open: Parameters<DirectCalls["follow"]>[0],
    signal: AbortSignal,
  ): AsyncIterable<readonly TFrame[]> =>
    calls.follow<TFrame>(async (ending) => {
      const frames = await open(ending);
      gateway.announceClient(caller, { signal: ending });
      return frames;
    }, signal);
  return {
    clientId,
    ...createSessionCalls(gateway, caller, calls),
    ...createInteractionCalls(gateway, caller, calls),
    ...createGrantCalls(gateway, caller, calls),
    followSession: (sessionId, cursor, { signal }) =>
      announced<SessionFrame>(async (ending) => {
        await gateway.getSession(caller, sessionId); // Refuses before the stream stands, as HTTP does.
        return gateway.followSession(caller, sessionId, { ...cursor }, { signal: ending });
      }, signal),
    followOverview: ({ signal }) =>
      announced<OverviewFrame>(
        async (ending) => gateway.followOverview(caller, { signal: ending }),
        signal,
      ),
    async [Symbol.asyncDispose]() {
      calls.close();
    },
  };
}

function createSessionCalls(
  gateway: GatewayApi,
  caller: Caller,
  { call }: DirectCalls,
): SessionCalls {
  return {
    listAgents: (options) => call(() => gateway.listAgents(caller), options),
    createSession: (body, options) =>
      call(() => gateway.createSession(caller, parseBody(createSessionBodySchema, body)), options),
    listSessions: (query = {}, options) =>
      call(() => gateway.listSessions(caller, parseInput(listQuerySchema, query)), options),
    getSession: (sessionId, options) => call(() => gateway.getSession(caller, sessionId), options),
    updateSession: (sessionId, body, options) =>
      call(
        () => gateway.updateSession(caller, sessionId, parseBody(updateSessionBodySchema, body)),
        options,
      ),
    deleteSession: (sessionId, options) =>
      call(() => gateway.deleteSession(caller, sessionId), options),
    sendMessage: (sessionId, body, options) =>
      call(
        () => gateway.sendMessage(caller, sessionId, parseBody(sendMessageBodySchema, body)),
        options,
      ),
    listQueue: (sessionId, options) => call(() => gateway.listQueue(caller, sessionId), options),
    removeQueuedMessage: (sessionId, messageId, options) =>
      call(() => gateway.removeQueuedMessage(caller, sessionId, messageId), options),
    stopTurn: (sessionId, options) => call(() => gateway.stopTurn(caller, sessionId), options),
    readEvents: (sessionId, query = {}, options) =>
      call(async () => {
        const page = parseInput(eventPageQuerySchema, query);
        return { epoch: gateway.epoch, ...(await gateway.readEvents(caller, sessionId, page)) };
      }, options),
  };
}

function createInteractionCalls(
  gateway: GatewayApi,
  caller: Caller,
  { call, respond }: DirectCalls,
): InteractionCalls {
  return {
    listInteractions: ({ status, ...query } = {}, options) =>
      call(() => {
        const input = { ...query, ...(status && { status: status.join(",") }) };
        return gateway.listInteractions(caller, parseInput(interactionListQuerySchema, input));
      }, options),
    getInteraction: (interactionId, options) =>
      call(() => gateway.getInteraction(caller, interactionId), options),
    respond: (interactionId, body, options) =>
      respond(
        () =>
          gateway.respond(
            caller,
            interactionId,
            parseBody(respondBodySchema, body, MAX_RESPONSE_BYTES),
          ),
        options,
      ),
    submitAnswers: (sessionId, toolCallId, answers, options) =>
      respond(() => {
        const body = parseBody(
          submitAnswersBodySchema,
          { toolCallId, answers },
          MAX_RESPONSE_BYTES,
        );
        return gateway.submitAnswers(caller, sessionId, body);
      }, options),
    approveTool: (sessionId, toolCallId, options) =>
      respond(() => {
        const body = parseBody(approveBodySchema, { toolCallId }, MAX_RESPONSE_BYTES);
        return gateway.approveTool(caller, sessionId, body);
      }, options),
    denyTool: (sessionId, toolCallId, reason, options) =>
      respond(() => {
        const body = parseBody(denyBodySchema, { toolCallId, reason }, MAX_RESPONSE_BYTES);
        return gateway.denyTool(caller, sessionId, body);
      }, options),
    setInteractionMode: (enabled, options) =>
      call(() => {
        const body = parseBody(interactionModeBodySchema, { enabled });
        return gateway.setInteractionMode(caller, caller.clientId ?? "", body.enabled);
      }, options),
  };
}

function createGrantCalls(gateway: GatewayApi, caller: Caller, { call }: DirectCalls): GrantCalls {
  return {
    listGrants: (query = {}, options) =>
      call(() => gateway.listGrants(caller, parseInput(listQuerySchema, query)), options),
    revokeGrant: (grantId, options) => call(() => gateway.revokeGrant(caller, grantId), options),
  };
}
