import {
  approveBodySchema,
  denyBodySchema,
  respondResultSchema,
  submitAnswersBodySchema,
} from "@holdpoint/protocol";

import { defineRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { jsonAnswer, toRespondAnswer } from "./answers.ts";
import { sessionParams } from "./parameters.ts";
import { MAX_RESPONSE_BYTES, RESPOND_PROBLEMS } from "./respond-facts.ts";

/** Aliases of `respond` that name a tool call instead of an interaction. */
export function toolCallRoutes({ gateway }: ServerContext): Route[] {
  const shared = {
    method: "POST",
    params: sessionParams,
    maxBodyBytes: MAX_RESPONSE_BYTES,
    answers: { 200: jsonAnswer("This response won.", respondResultSchema) },
    problems: RESPOND_PROBLEMS,
  } as const;
  return [
    defineRoute({
      ...shared,
      path: "/api/sessions/{sessionId}/submit-answers",
      operationId: "submitAnswers",
      summary: "Answer the questions of a tool call",
      body: submitAnswersBodySchema,
      handle: async ({ c, caller, params, body }) =>
        toRespondAnswer(c, await gateway.submitAnswers(caller, params.sessionId, body)),
    }),
    defineRoute({
      ...shared,
      path: "/api/sessions/{sessionId}/approve",
      operationId: "approveTool",
      summary: "Approve a tool call once, exactly as it was asked",
      body: approveBodySchema,
      handle: async ({ c, caller, params, body }) =>
        toRespondAnswer(c, await gateway.approveTool(caller, params.sessionId, body)),
    }),
    defineRoute({
      ...shared,
      path: "/api/sessions/{sessionId}/deny",
      operationId: "denyTool",
      summary: "Deny a tool call",
      body: denyBodySchema,
      handle: async ({ c, caller, params, body }) =>
        toRespondAnswer(c, await gateway.denyTool(caller, params.sessionId, body)),
    }),
  ];
}
