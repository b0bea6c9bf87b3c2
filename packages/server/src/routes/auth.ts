import {
  agentTokenBodySchema,
  agentTokenSchema,
  exchangeCodeBodySchema,
  exchangedCodeSchema,
  gatewayHelloBodySchema,
  gatewayHelloSchema,
  PROTOCOL_VERSION,
  ProtocolError,
} from "@holdpoint/protocol";

import { issueAgentToken } from "../auth/issue-agent-token.ts";
import { clientAddress } from "../http/client-address.ts";
import { jsonAnswer } from "../http/json-answer.ts";
import { defineOpenRoute, defineRoute, type Route } from "../http/route.ts";
import { renewHolder } from "../people/sign-in-person.ts";
import type { ServerContext } from "../server-context.ts";

export function authRoutes(context: ServerContext): Route[] {
  return [helloRoute(context), exchangeCode(context), issueAgentTokenRoute(context)];
}

/**
 * Not rate-limited: otherwise others could keep a page from its own gateway. A request costs one signature and stores
 * nothing.
 */
function helloRoute({ identity, nonces, pageUrls }: ServerContext): Route {
  return defineOpenRoute({
    method: "POST",
    path: "/api/auth/hello",
    operationId: "greetGateway",
    summary: "Have the gateway prove its identity before a device sends anything",
    access: "anyone",
    body: gatewayHelloBodySchema,
    maxBodyBytes: 1024,
    answers: { 200: jsonAnswer("The gateway's signature and a nonce.", gatewayHelloSchema) },
    problems: ["FORBIDDEN"],
    handle: ({ c, body: { challenge, origin } }) => {
      if (![...pageUrls].some((url) => new URL(url).origin === origin)) {
        throw new ProtocolError("FORBIDDEN", "This gateway has no pages at that origin.");
      }
      const said = { protocolVersion: PROTOCOL_VERSION, nonce: nonces.current };
      const signature = identity.sign({ challenge, origin, ...said });
      return c.json({ publicKey: identity.publicKey, signature, ...said }, 200);
    },
  });
}

function exchangeCode({ authenticator, gateway, launchCodes, limiter }: ServerContext): Route {
  return defineOpenRoute({
    method: "POST",
    path: "/api/auth/exchange",
    operationId: "exchangeCode",
    summary: "Exchange a one-time code, of a launch URL or for pairing, for a device's token",
    access: "anyone",
    body: exchangeCodeBodySchema,
    maxBodyBytes: 4096,
    answers: { 200: jsonAnswer("The token; it is shown only here.", exchangedCodeSchema) },
    problems: ["UNAUTHENTICATED", "PROOF_REQUIRED", "PROOF_REFUSED", "PROOF_STALE"],
    handle: async ({ c, body }) => {
      const { incoming } = c.env;
      const proof = authenticator.proveKey(incoming.headers["dpop"]?.toString(), {
        method: "POST",
        path: "/api/auth/exchange",
      });
      const isLaunch = launchCodes.redeem(body.code);
      const paired = isLaunch ? { holder: undefined } : gateway.pairings.redeem(body.code);
      const renewed = paired?.holder && (await renewHolder(gateway.credentials, paired.holder));
      if (!paired || (paired.holder && !renewed)) {
        limiter.countFailure(clientAddress(incoming), body.code);
        throw new ProtocolError("UNAUTHENTICATED", "This code is wrong, was used or has expired.");
      }
      const { label = "Browser" } = body;
      const signedInBy = isLaunch ? "launch_code" : "pairing_code";
      const device = { label, keyThumbprint: proof.thumbprint, signedInBy } as const;
      return c.json(await authenticator.issueDeviceToken(device, renewed), 200);
    },
  });
}

function issueAgentTokenRoute(context: ServerContext): Route {
  return defineRoute({
    method: "POST",
    path: "/api/auth/agent-tokens",
    operationId: "issueAgentToken",
    summary: "Let an agent that the gateway does not start call its tools over MCP",
    access: "person",
    role: "owner",
    body: agentTokenBodySchema,
    maxBodyBytes: 4096,
    answers: { 201: jsonAnswer("The token; it is shown only here.", agentTokenSchema) },
    problems: ["AGENT_UNAVAILABLE", "INVALID_REQUEST"],
    handle: async ({ c, caller, body: { label } }) =>
      c.json(await issueAgentToken(context, caller, { label, url: c.req.url }), 201),
  });
}
