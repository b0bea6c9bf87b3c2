import { createHash, createPublicKey, verify } from "node:crypto";

import { type ProofClaims, ProtocolError } from "@holdpoint/protocol";
import { z } from "zod";

import { thumbprintOf } from "./thumbprint.ts";

/** Proofs made by devices have fewer than 800 characters. */
const MAX_LENGTH = 2048;
const PARTS = /^([\w-]+)\.([\w-]+)\.([\w-]{86})$/;

const coordinate = z.string().regex(/^[\w-]{43}$/);
/** Only one algorithm is accepted, so that a proof cannot choose another. */
const headerSchema = z.object({
  typ: z.literal("dpop+jwt"),
  alg: z.literal("ES256"),
  jwk: z.strictObject({
    kty: z.literal("EC"),
    crv: z.literal("P-256"),
    x: coordinate,
    y: coordinate,
  }),
});
const claimsSchema: z.ZodType<ProofClaims> = z.object({
  jti: z.string().min(16).max(64),
  htm: z.string(),
  htu: z.string(),
  iat: z.number(),
  ath: z.string().exactOptional(),
  bodyHash: z.string().exactOptional(),
  nonce: z.string(),
});

/** The request that a proof must match. */
export interface ProvenRequest {
  readonly method: string;
  readonly path: string;
  /** The base URLs of the gateway's own pages, without a trailing slash. */
  readonly pageUrls: ReadonlySet<string>;
  /** Absent when the device has no token yet. */
  readonly token?: string;
}

/** A verified proof: the thumbprint of its key, and its claims. */
export interface Proof {
  readonly thumbprint: string;
  readonly claims: ProofClaims;
}

/**
 * Checks everything about a proof except whether it is fresh. Throws `PROOF_REFUSED` when it is not signed by the key
 * it names, or is for another request, token or gateway.
 */
export function readProof(text: string, request: ProvenRequest): Proof {
  const [, head = "", payload = "", signature = ""] =
    text.length <= MAX_LENGTH ? (PARTS.exec(text) ?? []) : [];
  const header = headerSchema.safeParse(parse(head));
  const claims = claimsSchema.safeParse(parse(payload));
  if (!header.success || !claims.success) throw refusedProof();
  const { jwk } = header.data;
  const isRight = isSigned(`${head}.${payload}`, signature, jwk) && isAbout(claims.data, request);
  if (!isRight) throw refusedProof();
  return { thumbprint: thumbprintOf(jwk), claims: claims.data };
}

function isAbout(
  { htm, htu, ath }: ProofClaims,
  { method, path, pageUrls, token }: ProvenRequest,
): boolean {
  const isThisUrl = htu.endsWith(path) && pageUrls.has(htu.slice(0, -path.length));
  const expectedAth = token === undefined ? undefined : hashOfBytes(token);
  return htm === method && isThisUrl && ath === expectedAth;
}

/** Returns the SHA-256 in base64url, the form used in proofs. */
export function hashOfBytes(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("base64url");
}

export function refusedProof(): ProtocolError {
  return new ProtocolError("PROOF_REFUSED", "The proof of the device's key is not valid.");
}

function parse(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString());
  } catch {
    return undefined; // Not JSON.
  }
}

function isSigned(
  text: string,
  signature: string,
  jwk: z.infer<typeof headerSchema>["jwk"],
): boolean {
  try {
    const key = createPublicKey({ format: "jwk", key: jwk });
    const bytes = Buffer.from(signature, "base64url");
    return verify("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, bytes);
  } catch {
    return false; // Not a point of the curve.
  }
}
