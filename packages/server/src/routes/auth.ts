import type { StoredCredential } from "@holdpoint/engine";
import {
  agentTokenBodySchema,
  agentTokenSchema,
  exchangeCodeBodySchema,
  exchangedCodeSchema,
  ProtocolError,
  type TokenInfo,
  tokenListSchema,
} from "@holdpoint/protocol";
import { z } from "zod";

import { issueAgentToken } from "../auth/issue-agent-token.ts";
import { defineOpenRoute, defineRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { jsonAnswer } from "./answers.ts";

export function authRoutes(context: ServerContext): Route[] {
  return [
    exchangeCode(context),
    issueAgentTokenRoute(context),
    listTokens(context),
    revokeToken(context),
  ];
}

function exchangeCode({ authenticator, launchCodes, limiter }: ServerContext): Route {
  return defineOpenRoute({
    method: "POST",
    path: "/api/auth/exchange",
    operationId: "exchangeCode",
    summary: "Exchange the one-time code of a launch URL for a bearer token",
    access: "anyone",
    body: exchangeCodeBodySchema,
    maxBodyBytes: 4096,
    answers: { 200: jsonAnswer("The token; it is shown only here.", exchangedCodeSchema) },
    problems: ["UNAUTHENTICATED"],
    handle: async ({ c, body }) => {
      const address = c.env.incoming.socket.remoteAddress;
      limiter.assertAllowed(address);
      if (!launchCodes.redeem(body.code)) {
        limiter.recordFailure(address, body.code);
        throw new ProtocolError("UNAUTHENTICATED", "This launch code was used or has expired.");
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

function listTokens({ gateway: { credentials } }: ServerContext): Route {
  return defineRoute({
    method: "GET",
    path: "/api/auth/tokens",
    operationId: "listTokens",
    summary: "The bearer tokens that exist, without the tokens themselves",
    access: "person",
    answers: { 200: jsonAnswer("The person's own tokens and those of agents.", tokenListSchema) },
    handle: async ({ c, credential }) => {
      const stored = await credentials.list();
      const items = stored
        .filter((token) => isTheirs(token, credential.person))
        .map((token) => toTokenInfo(token, credential.tokenId));
      return c.json({ items }, 200);
    },
  });
}

function revokeToken({ gateway: { credentials } }: ServerContext): Route {
  return defineRoute({
    method: "DELETE",
    path: "/api/auth/tokens/{tokenId}",
    operationId: "revokeToken",
    summary: "Revoke a token and end its open streams",
    access: "person",
    params: z.object({ tokenId: z.string().min(1).max(128) }),
    answers: { 204: { description: "Revoked." } },
    problems: ["NOT_FOUND"],
    handle: async ({ c, params, credential }) => {
      const stored = await credentials.list();
      const token = stored.find(({ tokenId }) => tokenId === params.tokenId);
      const isRevoked =
        token !== undefined &&
        isTheirs(token, credential.person) &&
        (await credentials.revoke(token.tokenId));
      if (!isRevoked) throw new ProtocolError("NOT_FOUND", "There is no such token.");
      return c.body(null, 204);
    },
  });
}

/** Persons manage their own tokens and those of agents, not those of other persons. */
function isTheirs(token: StoredCredential, person: string): boolean {
  return token.principal === "agent" || token.person === person;
}

function toTokenInfo(token: StoredCredential, currentId: string): TokenInfo {
  const { tokenId, principal, label, sessionId, createdAtMs, lastUsedAtMs } = token;
  return {
    tokenId,
    principal,
    label,
    ...(sessionId !== undefined && { sessionId }),
    createdAt: new Date(createdAtMs).toISOString(),
    ...(lastUsedAtMs !== undefined && { lastUsedAt: new Date(lastUsedAtMs).toISOString() }),
    current: tokenId === currentId,
  };
}
