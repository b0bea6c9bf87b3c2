import {
  interactionListQuerySchema,
  interactionListSchema,
  interactionSchema,
  respondBodySchema,
  respondResultSchema,
} from "@holdpoint/protocol";

import { defineRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { jsonAnswer, toRespondAnswer } from "./answers.ts";
import { interactionParams } from "./parameters.ts";
import { MAX_RESPONSE_BYTES, RESPOND_PROBLEMS } from "./respond-facts.ts";

export function interactionRoutes({ gateway }: ServerContext): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/interactions",
      operationId: "listInteractions",
      summary: "The inbox: interactions of all sessions, oldest first",
      query: interactionListQuerySchema,
      answers: { 200: jsonAnswer("A page of them.", interactionListSchema) },
      handle: async ({ c, caller, query }) =>
        c.json(await gateway.listInteractions(caller, query), 200),
    }),
    defineRoute({
      method: "GET",
      path: "/api/interactions/{interactionId}",
      operationId: "getInteraction",
      summary: "One interaction, in full",
      params: interactionParams,
      answers: { 200: jsonAnswer("The interaction.", interactionSchema) },
      problems: ["NOT_FOUND"],
      handle: async ({ c, caller, params }) =>
        c.json(await gateway.getInteraction(caller, params.interactionId), 200),
    }),
    defineRoute({
      method: "POST",
      path: "/api/interactions/{interactionId}/response",
      operationId: "respond",
      summary: "Respond; the first response wins",
      params: interactionParams,
      body: respondBodySchema,
      maxBodyBytes: MAX_RESPONSE_BYTES,
      answers: {
        200: jsonAnswer(
          "This response won, or one with the same idempotency key did before.",
          respondResultSchema,
        ),
      },
      problems: RESPOND_PROBLEMS,
      handle: async ({ c, caller, params, body }) =>
        toRespondAnswer(c, await gateway.respond(caller, params.interactionId, body)),
    }),
  ];
}
