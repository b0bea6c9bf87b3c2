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

import { type Authenticator, type Credential, tokenOf } from "../auth/authenticator.ts";
import type { ProofNonces } from "../auth/proof-nonces.ts";
import { hashOfBytes, refusedProof } from "../auth/read-proof.ts";
import { toCaller } from "../auth/to-caller.ts";
import { clientAddress } from "./client-address.ts";
import { readJsonBody } from "./json-body.ts";
import { note } from "./request-log.ts";
import { type OpenRequest, type Route, routeKey } from "./route.ts";
import { isUrgent, type SendingBudget } from "./sending-budget.ts";
import type { ServerEnv } from "./server-env.ts";
import type { Strangers } from "./strangers.ts";

interface HandlerParts {
  readonly authenticator: Pick<Authenticator, "authenticate" | "authenticateAgain">;
  readonly nonces: ProofNonces;
  readonly strangers: Pick<Strangers, "know">;
  readonly sending: Pick<SendingBudget, "take">;
  readonly gateway: { readonly draining: boolean };
}

export type ServerHandler = (c: Context<ServerEnv>) => Promise<Response>;

/** Accesses of people, who have a role. */
const PEOPLES: ReadonlySet<unknown> = new Set<Access>(["device", "person"]);
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
    // While a body comes, its sender may have lost what it takes.
    const credential = isWhole ? first : await authoriseAgain(c, route, { parts, first });
    const caller = { ...toCaller(credential), ...client };
    const answer = await route.handle({ ...request, caller, credential });
    // Only now it is known that the ids in the path are ids, and no text that somebody wrote there.
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
  // For the device's next proof, whatever becomes of this one.
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

/** What a body without a length may have is counted as if it had it. */
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

/** The method and the path of a request, as a proof has them. */
export function requestLineOf({ method = "", url = "" }: IncomingMessage): {
  readonly method: string;
  readonly path: string;
} {
  return { method, path: url.split("?", 1)[0] ?? "" };
}

/** A proof is for one body: nothing that a request passes through on its way can make another answer of it. */
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
