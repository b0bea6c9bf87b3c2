import { type Caller, ProtocolError } from "@holdpoint/protocol";
import type { Context } from "hono";

import type { Credential } from "../auth/authenticator.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { accessOf } from "./access-table.ts";
import { readJsonBody } from "./json-body.ts";
import { parseInput } from "./parse-input.ts";
import { drainingError } from "./problem-response.ts";
import { note } from "./request-log.ts";
import { type Route, routeKey } from "./route.ts";

const DEFAULT_MAX_BODY_BYTES = 256 * 1024;

export type ServerHandler = (c: Context<ServerEnv>) => Promise<Response>;

/** Whoever calls a route that is open to anyone: no rights at all. */
const NOBODY: Credential = { tokenId: "", principal: "agent", person: "", label: "" };

/**
 * The handler of a route: authenticates, authorises, validates, then lets the route answer. In this order, so that
 * nothing of a request is read before it is known whose it is. Throws at once for a route without an access entry.
 */
export function toHandler(route: Route, context: ServerContext): ServerHandler {
  const access = accessOf(routeKey(route));
  return async (c) => {
    const { incoming } = c.env;
    note(incoming, { route: route.path });
    let credential = NOBODY;
    if (access !== "anyone") {
      const { authorization } = incoming.headers;
      const address = incoming.socket.remoteAddress;
      credential = await context.authenticator.authenticate(authorization, address);
      note(incoming, { tokenId: credential.tokenId });
      if (!access.includes(credential.principal))
        throw new ProtocolError("FORBIDDEN", "This credential may not do that.");
    }
    if (route.method !== "GET" && context.gateway.draining) throw drainingError();
    const params = parseInput(route.params, c.req.param());
    const query = parseInput(route.query, c.req.query());
    const caller = toCaller(c, credential);
    const body =
      route.body &&
      parseInput(
        route.body,
        await readJsonBody(incoming, route.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES),
      );
    note(incoming, toNotes(params));
    return route.handle({ c, caller, credential, params, query, body });
  };
}

function toCaller(c: Context<ServerEnv>, credential: Credential): Caller {
  const clientId = c.req.header("x-holdpoint-client") ?? c.req.query("client");
  if (clientId !== undefined && !/^[!-~]{1,128}$/.test(clientId))
    throw new ProtocolError("BAD_REQUEST", "A client id has 1 to 128 visible ASCII characters.");
  return {
    principal: credential.principal,
    person: credential.person,
    client: credential.label,
    ...(credential.sessionId !== undefined && { sessionId: credential.sessionId }),
    ...(clientId !== undefined && { clientId }),
  };
}

function toNotes(params: unknown): { sessionId?: string; interactionId?: string } {
  const { sessionId, interactionId } = (params ?? {}) as Record<string, string | undefined>;
  return {
    ...(sessionId !== undefined && { sessionId }),
    ...(interactionId !== undefined && { interactionId }),
  };
}
