import { queueSchema, sendMessageBodySchema, sentMessageSchema } from "@holdpoint/protocol";
import { z } from "zod";

import { defineRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { jsonAnswer } from "./answers.ts";
import { idParameter, sessionParams } from "./parameters.ts";

export function messageRoutes({ gateway }: ServerContext): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/sessions/{sessionId}/messages",
      operationId: "sendMessage",
      summary: "Start a turn with a message, or queue it behind a running one",
      params: sessionParams,
      body: sendMessageBodySchema,
      answers: { 202: jsonAnswer("The message was taken.", sentMessageSchema) },
      problems: ["NOT_FOUND", "TURN_RUNNING", "AGENT_UNAVAILABLE", "INVALID_REQUEST"],
      handle: async ({ c, caller, params, body }) =>
        c.json(await gateway.sendMessage(caller, params.sessionId, body), 202),
    }),
    defineRoute({
      method: "GET",
      path: "/api/sessions/{sessionId}/queue",
      operationId: "listQueue",
      summary: "Messages that wait for the running turn to end",
      params: sessionParams,
      answers: { 200: jsonAnswer("In the order in which they will be sent.", queueSchema) },
      problems: ["NOT_FOUND"],
      handle: async ({ c, caller, params }) =>
        c.json({ items: await gateway.listQueue(caller, params.sessionId) }, 200),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/sessions/{sessionId}/queue/{messageId}",
      operationId: "removeQueuedMessage",
      summary: "Take a message back before its turn starts",
      params: sessionParams.extend({ messageId: idParameter }),
      answers: { 204: { description: "It will not be sent." } },
      problems: ["NOT_FOUND", "ALREADY_ANSWERED"],
      handle: async ({ c, caller, params }) => {
        await gateway.removeQueuedMessage(caller, params.sessionId, params.messageId);
        return c.body(null, 204);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/sessions/{sessionId}/stop",
      operationId: "stopTurn",
      summary: "Stop the running turn and withdraw what it asked",
      params: sessionParams,
      body: z.strictObject({}).optional(),
      answers: {
        202: { description: "The turn was asked to stop; nothing happens when none runs." },
      },
      problems: ["NOT_FOUND"],
      handle: async ({ c, caller, params }) => {
        await gateway.stopTurn(caller, params.sessionId);
        return c.body(null, 202);
      },
    }),
  ];
}
