import type { IncomingMessage } from "node:http";

import {
  type Access,
  BODY_LIMITS,
  type Caller,
  drainingError,
  isTraceparent,
  parseInput,
  ProtocolError,
  refusalOfAccess,
} from "@holdpoint/protocol";
import type { Context } from "hono";

import { type Authenticator, tokenOf } from "../auth/authenticator.ts";
import type { Credential } from "../auth/credential.ts";
import type { ProofNonces } from "../auth/proof-nonces.ts";
import { hashOfBytes, refusedProof } from "../auth/read-proof.ts";
import { toCaller } from "../auth/to-caller.ts";
import { clientAddress } from "./client-address.ts";
import { readJsonBody } from "./json-body.ts";
import { note } from "./request-log.ts";
import { type OpenRequest, type Route, routeKey } from "./route.ts";
import { isUrgent, type SendingBudget } from "./sending-budget.ts";
import type { ServerEnv } from "./server-env.ts";
import type { UnauthenticatedConnections } from "./unauthenticated-connections.ts";

interface HandlerParts {
  readonly authenticator: Pick<Authenticator, "authenticate" | "authenticateAgain">;
  readonly nonces: ProofNonces;
  readonly strangers: Pick<UnauthenticatedConnections, "know">;
  readonly sending: Pick<SendingBudget, "take">;
  readonly gateway: { readonly draining: boolean };
}

export type ServerHandler = (c: Context<ServerEnv>) => Promise<Response>;

/** Access kinds for people, which need a role. */
const PEOPLES: ReadonlySet<unknown> = new Set<Access>(["device", "person"]);
const ACCESSES: ReadonlySet<unknown> = new Set<Access>(["agent", "anyone", "device", "person"]);

/**
 * Returns a route's handler: it authenticates, authorises, validates, and then runs the route. No input is read before
 * the sender is known. Throws immediately when the route has no `access`, or no `role` although people use it.
 */
export function toHandler(route: Route, parts: HandlerParts): ServerHandler {
  if (!ACCESSES.has(route.access)) {
    throw new Error(`The route "${routeKey(route)}" does not say who may use it.`);
  }
  if (PEOPLES.has(route.access) && route.role === undefined) {
    throw new Error(`The route "${routeKey(route)}" does not say which role it needs.`);
  }
  return async (c) => {
    note(c.env.incoming, { route: route.path });
    if (route.access === "anyone") {
      assertTakesWork(route, parts);
      return route.handle(await readRequest(c, route));
    }
    const first = await authorise(c, route, parts);
    assertTakesWork(route, parts);
    if (route.body && !isUrgent(route.operationId)) {
      parts.sending.take(first, announcedBytes(c.env.incoming, route));
    }
    const isWhole = !route.body || c.env.incoming.complete;
    const client = toClient(c);
    const request = await readRequest(c, route, (bytes) => assertProven(bytes, first));
    // The credential may be revoked or change while the body arrives.
    const credential = isWhole ? first : await authoriseAgain(c, route, { parts, first });
    const caller = { ...toCaller(credential), ...client };
    const answer = await route.handle({ ...request, caller, credential });
    // Ids from the path are logged only after validation, when they cannot be arbitrary text.
    note(c.env.incoming, toNotes(request.params));
    return answer;
  };
}

async function authorise(
  c: Context<ServerEnv>,
  { access, method, role }: Pick<Route, "access" | "method" | "role">,
  { authenticator, nonces, strangers }: HandlerParts,
): Promise<Credential> {
  const { incoming, outgoing } = c.env;
  const { authorization, dpop } = incoming.headers;
  const proof = dpop?.toString();
  // A nonce for the device's next proof, even when this one is refused.
  if (dpop !== undefined) outgoing.setHeader("DPoP-Nonce", nonces.current);
  const credential = await authenticator.authenticate({
    token: tokenOf(authorization, proof),
    proof,
    ...requestLineOf(incoming),
    address: clientAddress(incoming),
  });
  strangers.know(incoming.socket);
  note(incoming, { tokenId: credential.tokenId });
  assertAccess(credential, { access, method, role });
  return credential;
}

async function authoriseAgain(
  { env: { incoming } }: Context<ServerEnv>,
  route: Route,
  { parts, first }: { readonly parts: HandlerParts; readonly first: Credential },
): Promise<Credential> {
  const { authorization, dpop } = incoming.headers;
  const token = tokenOf(authorization, dpop?.toString());
  const credential = await parts.authenticator.authenticateAgain(token, first);
  assertAccess(credential, route);
  return credential;
}

function assertAccess(
  credential: Credential,
  { access, method, role }: Pick<Route, "access" | "method" | "role">,
): void {
  const refusal = refusalOfAccess(credential, { access, method, role });
  if (refusal !== undefined) throw new ProtocolError("FORBIDDEN", refusal);
}

function assertTakesWork({ method }: Route, { gateway }: HandlerParts): void {
  if (method !== "GET" && gateway.draining) throw drainingError();
}

/** The announced size of a body. A chunked body counts as the route's maximum. */
function announcedBytes({ headers }: IncomingMessage, { maxBodyBytes }: Route): number {
  const length = headers["content-length"];
  if (length !== undefined) return Number(length);
  return headers["transfer-encoding"] === undefined
    ? 0
    : (maxBodyBytes ?? BODY_LIMITS.requestBytes);
}

async function readRequest(
  c: Context<ServerEnv>,
  route: Route,
  assertRight: (body: Buffer) => void = () => undefined,
): Promise<OpenRequest<unknown, unknown, unknown>> {
  const { incoming } = c.env;
  const params = route.params && parseInput(route.params, c.req.param());
  const query = route.query && parseInput(route.query, c.req.query());
  const maxBytes = route.maxBodyBytes ?? BODY_LIMITS.requestBytes;
  const body =
    route.body && parseInput(route.body, await readJsonBody(incoming, maxBytes, assertRight));
  return { c, params, query, body };
}

/** The method and path of a request, in the form used by proofs. */
export function requestLineOf({ method = "", url = "" }: IncomingMessage): {
  readonly method: string;
  readonly path: string;
} {
  return { method, path: url.split("?", 1)[0] ?? "" };
}

/**
 * Checks that a device's proof is for this body, so that nothing between the device and the gateway can alter an
 * answer.
 */
function assertProven(body: Buffer, { proof }: Credential): void {
  if (!proof) return;
  const expected = body.length === 0 ? undefined : hashOfBytes(body);
  if (proof.claims.bodyHash !== expected) throw refusedProof();
}

function toClient(c: Context<ServerEnv>): Pick<Caller, "clientId" | "traceparent"> {
  const clientId = c.req.header("x-holdpoint-client") ?? c.req.query("client");
  if (clientId !== undefined && !/^[!-~]{1,128}$/.test(clientId)) {
    throw new ProtocolError("BAD_REQUEST", "A client id has 1 to 128 visible ASCII characters.");
  }
  const traceparent = c.req.header("traceparent");
  return {
    ...(clientId !== undefined && { clientId }),
    ...(isTraceparent(traceparent) && { traceparent }),
  };
}

function toNotes(params: unknown): { sessionId?: string; interactionId?: string } {
  const { sessionId, interactionId } = (params ?? {}) as Record<string, string | undefined>;
  return {
    ...(sessionId !== undefined && { sessionId }),
    ...(interactionId !== undefined && { interactionId }),
  };
}
