import {
  type Access,
  BODY_LIMITS,
  type Caller,
  drainingError,
  parseInput,
  ProtocolError,
  refusalOfAccess,
} from "@holdpoint/protocol";
import type { Context } from "hono";

import type { Authenticator, Credential } from "../auth/authenticator.ts";
import { toCaller } from "../auth/to-caller.ts";
import { clientAddress } from "./client-address.ts";
import { readJsonBody } from "./json-body.ts";
import { note } from "./request-log.ts";
import { type OpenRequest, type Route, routeKey } from "./route.ts";
import type { ServerEnv } from "./server-env.ts";
import type { Strangers } from "./strangers.ts";

interface HandlerParts {
  readonly authenticator: Authenticator;
  readonly strangers: Pick<Strangers, "know">;
  readonly gateway: { readonly draining: boolean };
}

export type ServerHandler = (c: Context<ServerEnv>) => Promise<Response>;

const ACCESSES: ReadonlySet<unknown> = new Set<Access>(["agent", "anyone", "device", "person"]);

/**
 * The handler of a route: authenticates, authorises, validates, then lets the route answer. In this order, so that
 * nothing of a request is read before it is known who sends it. Throws at once for a route that does not say who may
 * use it.
 */
export function toHandler(route: Route, parts: HandlerParts): ServerHandler {
  if (!ACCESSES.has(route.access)) {
    throw new Error(`The route "${routeKey(route)}" does not say who may use it.`);
  }
  return async (c) => {
    note(c.env.incoming, { route: route.path });
    if (route.access === "anyone") {
      assertTakesWork(route, parts);
      return route.handle(await readRequest(c, route));
    }
    const credential = await authorise(c, route, parts);
    assertTakesWork(route, parts);
    const caller = { ...toCaller(credential), ...toClient(c) };
    const request = await readRequest(c, route);
    const answer = await route.handle({ ...request, caller, credential });
    // Only now it is known that the ids in the path are ids, and no text that somebody wrote there.
    note(c.env.incoming, toNotes(request.params));
    return answer;
  };
}

async function authorise(
  c: Context<ServerEnv>,
  { access, method }: Pick<Route, "access" | "method">,
  { authenticator, strangers }: HandlerParts,
): Promise<Credential> {
  const { incoming } = c.env;
  const { authorization } = incoming.headers;
  const credential = await authenticator.authenticate(authorization, clientAddress(incoming));
  strangers.know(incoming.socket);
  note(incoming, { tokenId: credential.tokenId });
  const refusal = refusalOfAccess(credential, { access, method });
  if (refusal !== undefined) throw new ProtocolError("FORBIDDEN", refusal);
  return credential;
}

function assertTakesWork({ method }: Route, { gateway }: HandlerParts): void {
  if (method !== "GET" && gateway.draining) throw drainingError();
}

async function readRequest(
  c: Context<ServerEnv>,
  route: Route,
): Promise<OpenRequest<unknown, unknown, unknown>> {
  const { incoming } = c.env;
  const params = route.params && parseInput(route.params, c.req.param());
  const query = route.query && parseInput(route.query, c.req.query());
  const maxBytes = route.maxBodyBytes ?? BODY_LIMITS.requestBytes;
  const body = route.body && parseInput(route.body, await readJsonBody(incoming, maxBytes));
  return { c, params, query, body };
}

function toClient(c: Context<ServerEnv>): Pick<Caller, "clientId"> {
  const clientId = c.req.header("x-holdpoint-client") ?? c.req.query("client");
  if (clientId !== undefined && !/^[!-~]{1,128}$/.test(clientId)) {
    throw new ProtocolError("BAD_REQUEST", "A client id has 1 to 128 visible ASCII characters.");
  }
  return clientId === undefined ? {} : { clientId };
}

function toNotes(params: unknown): { sessionId?: string; interactionId?: string } {
  const { sessionId, interactionId } = (params ?? {}) as Record<string, string | undefined>;
  return {
    ...(sessionId !== undefined && { sessionId }),
    ...(interactionId !== undefined && { interactionId }),
  };
}
