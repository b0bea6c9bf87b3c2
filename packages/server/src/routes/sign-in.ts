import {
  beginSignInBodySchema,
  begunSignInSchema,
  exchangedCodeSchema,
  finishSignInBodySchema,
  issuerListSchema,
  ProtocolError,
} from "@holdpoint/protocol";

import type { Proof } from "../auth/read-proof.ts";
import { clientAddress } from "../http/client-address.ts";
import { jsonAnswer } from "../http/json-answer.ts";
import { defineOpenRoute, type OpenRequest, type Route } from "../http/route.ts";
import { requestLineOf } from "../http/run-route.ts";
import { endReplaced, signInPerson } from "../people/sign-in-person.ts";
import type { ServerContext } from "../server-context.ts";

const PROOF_PROBLEMS = ["PROOF_REQUIRED", "PROOF_REFUSED", "PROOF_STALE"] as const;

/** The routes for signing in at an issuer. Single-person gateways have no issuers. */
export function signInRoutes(context: ServerContext): Route[] {
  return [listIssuers(context), beginSignIn(context), finishSignIn(context)];
}

function listIssuers({ people }: ServerContext): Route {
  return defineOpenRoute({
    method: "GET",
    path: "/api/auth/issuers",
    operationId: "listIssuers",
    summary: "Where people can sign in",
    access: "anyone",
    answers: { 200: jsonAnswer("The issuers.", issuerListSchema) },
    handle: ({ c }) => c.json({ items: people.issuers }, 200),
  });
}

/**
 * Not rate-limited, so that others cannot use up a limit: it stores nothing and contacts the issuer at most every few
 * minutes.
 */
function beginSignIn(context: ServerContext): Route {
  const { people } = context;
  return defineOpenRoute({
    method: "POST",
    path: "/api/auth/sign-ins",
    operationId: "beginSignIn",
    summary: "Begin to sign in at an issuer, for the browser whose key signs this",
    access: "anyone",
    body: beginSignInBodySchema,
    maxBodyBytes: 1024,
    answers: { 200: jsonAnswer("Where the browser goes.", begunSignInSchema) },
    problems: ["NOT_FOUND", "ISSUER_UNAVAILABLE", ...PROOF_PROBLEMS],
    handle: async ({ c, body: { issuerId } }) =>
      c.json(await people.begin({ issuerId, ...provenBy(context, c) }), 200),
  });
}

function finishSignIn(context: ServerContext): Route {
  const { people, authenticator, gateway, streams, limiter } = context;
  return defineOpenRoute({
    method: "POST",
    path: "/api/auth/sign-ins/finish",
    operationId: "finishSignIn",
    summary:
      "Exchange an issuer's response for a device's token, in the browser that started the sign-in",
    access: "anyone",
    body: finishSignInBodySchema,
    maxBodyBytes: 16 * 1024,
    answers: { 200: jsonAnswer("The token; it is shown only here.", exchangedCodeSchema) },
    problems: ["UNAUTHENTICATED", "NOT_ADMITTED", "ISSUER_UNAVAILABLE", ...PROOF_PROBLEMS],
    handle: async ({ c, body }) => {
      const { issuerId, answer, label = "Browser", replaces } = body;
      const at = provenBy(context, c);
      const from = clientAddress(c.env.incoming);
      try {
        const confirmed = await people.finish({ issuerId, answer, from, ...at });
        const { credentials } = gateway;
        const holder = await signInPerson({ people, credentials, streams }, confirmed);
        const device = { label, keyThumbprint: at.thumbprint, signedInBy: "issuer" } as const;
        const issued = await authenticator.issueDeviceToken(device, holder);
        if (replaces !== undefined) await endReplaced(credentials, holder, replaces);
        return c.json(issued, 200);
      } catch (error: unknown) {
        if (ProtocolError.isInstance(error) && error.code === "UNAUTHENTICATED") {
          limiter.countFailure(from, answer);
        }
        throw error;
      }
    },
  });
}

/** The thumbprint of the requesting browser's key, and the base URL of its page. */
function provenBy(
  { authenticator }: ServerContext,
  c: OpenRequest<unknown, unknown, unknown>["c"],
): { readonly thumbprint: string; readonly pageUrl: string } {
  const { incoming } = c.env;
  const line = requestLineOf(incoming);
  const proof: Proof = authenticator.proveKey(incoming.headers["dpop"]?.toString(), line);
  // A valid proof's URL always ends with the path.
  return { thumbprint: proof.thumbprint, pageUrl: proof.claims.htu.slice(0, -line.path.length) };
}
