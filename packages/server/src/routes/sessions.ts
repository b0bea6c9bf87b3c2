import {
  createSessionBodySchema,
  listQuerySchema,
  sessionListSchema,
  sessionSchema,
  updateSessionBodySchema,
} from "@holdpoint/protocol";

import { defineRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { jsonAnswer } from "./answers.ts";
import { sessionParams } from "./parameters.ts";

export function sessionRoutes({ gateway }: ServerContext): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/sessions",
      operationId: "listSessions",
      summary: "Sessions, newest activity first",
      query: listQuerySchema,
      answers: { 200: jsonAnswer("A page of them.", sessionListSchema) },
      handle: async ({ c, caller, query }) =>
        c.json(await gateway.listSessions(caller, query), 200),
    }),
    defineRoute({
      method: "POST",
      path: "/api/sessions",
      operationId: "createSession",
      summary: "Create a session",
      body: createSessionBodySchema,
      answers: { 201: jsonAnswer("The session.", sessionSchema) },
      problems: ["AGENT_UNAVAILABLE", "INVALID_REQUEST"],
      handle: async ({ c, caller, body }) => c.json(await gateway.createSession(caller, body), 201),
    }),
    defineRoute({
      method: "GET",
      path: "/api/sessions/{sessionId}",
      operationId: "getSession",
      summary: "One session",
      params: sessionParams,
      answers: { 200: jsonAnswer("The session.", sessionSchema) },
      problems: ["NOT_FOUND"],
      handle: async ({ c, caller, params }) =>
        c.json(await gateway.getSession(caller, params.sessionId), 200),
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/sessions/{sessionId}",
      operationId: "updateSession",
      summary: "Change title, permission mode or model; a running turn obeys a new mode at once",
      params: sessionParams,
      body: updateSessionBodySchema,
      answers: { 200: jsonAnswer("The session as it is now.", sessionSchema) },
      problems: ["NOT_FOUND", "INVALID_REQUEST"],
      handle: async ({ c, caller, params, body }) =>
        c.json(await gateway.updateSession(caller, params.sessionId, body), 200),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/sessions/{sessionId}",
      operationId: "deleteSession",
      summary: "Stop the session's agent and delete its log",
      params: sessionParams,
      answers: { 204: { description: "Deleted." } },
      problems: ["NOT_FOUND"],
      handle: async ({ c, caller, params }) => {
        await gateway.deleteSession(caller, params.sessionId);
        return c.body(null, 204);
      },
    }),
  ];
}
