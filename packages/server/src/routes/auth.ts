import {
  agentTokenBodySchema,
  agentTokenSchema,
  exchangeCodeBodySchema,
  exchangedCodeSchema,
  ProtocolError,
} from "@holdpoint/protocol";

import { issueAgentToken } from "../auth/issue-agent-token.ts";
import { clientAddress } from "../http/client-address.ts";
import { jsonAnswer } from "../http/json-answer.ts";
import { defineOpenRoute, defineRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";

export function authRoutes(context: ServerContext): Route[] {
  return [exchangeCode(context), issueAgentTokenRoute(context)];
}

function exchangeCode({ authenticator, gateway, launchCodes, limiter }: ServerContext): Route {
  return defineOpenRoute({
    method: "POST",
    path: "/api/auth/exchange",
    operationId: "exchangeCode",
    summary: "Exchange a one-time code, of a launch URL or for pairing, for a bearer token",
    access: "anyone",
    body: exchangeCodeBodySchema,
    maxBodyBytes: 4096,
    answers: { 200: jsonAnswer("The token; it is shown only here.", exchangedCodeSchema) },
    problems: ["UNAUTHENTICATED"],
    handle: async ({ c, body }) => {
      if (!launchCodes.redeem(body.code) && !gateway.pairings.redeem(body.code)) {
        limiter.countFailure(clientAddress(c.env.incoming), body.code);
        throw new ProtocolError("UNAUTHENTICATED", "This code is wrong, was used or has expired.");
      }
      return c.json(await authenticator.issueToken(body.label ?? "Browser"), 200);
    },
  });
}

function issueAgentTokenRoute(context: ServerContext): Route {
  return defineRoute({
    method: "POST",
    path: "/api/auth/agent-tokens",
    operationId: "issueAgentToken",
    summary: "Let an agent that somebody else starts call the gateway's tools over MCP",
    access: "person",
    body: agentTokenBodySchema,
    maxBodyBytes: 4096,
    answers: { 201: jsonAnswer("The token; it is shown only here.", agentTokenSchema) },
    problems: ["AGENT_UNAVAILABLE", "INVALID_REQUEST"],
    handle: async ({ c, caller, body: { label } }) =>
      c.json(await issueAgentToken(context, caller, { label, url: c.req.url }), 201),
  });
}
