import { createHash, createPublicKey, verify } from "node:crypto";

import { type ProofClaims, ProtocolError } from "@holdpoint/protocol";
import { z } from "zod";

import { thumbprintOf } from "./thumbprint.ts";

/** One that a device makes has less than 800 characters. */
const MAX_LENGTH = 2048;
const PARTS = /^([\w-]+)\.([\w-]+)\.([\w-]{86})$/;

const coordinate = z.string().regex(/^[\w-]{43}$/);
/** The one algorithm is named here, so that no proof can choose another. */
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

/** What a proof must be about. */
export interface ProvenRequest {
  readonly method: string;
  readonly path: string;
  /** The addresses of this gateway's own pages, without a slash at the end. */
  readonly pageUrls: ReadonlySet<string>;
  /** Absent while the device has none. */
  readonly token?: string;
}

/** A proof of a request: by which key, and what else it says. */
export interface Proof {
  readonly thumbprint: string;
  readonly claims: ProofClaims;
}

/**
 * Checks all of a proof but whether it is fresh. Throws `PROOF_REFUSED` for one that is not signed by the key that it
 * names, or that is about another request, another token or another gateway.
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

/** The base64url SHA-256, as proofs have it. */
export function hashOfBytes(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("base64url");
}

export function refusedProof(): ProtocolError {
  return new ProtocolError("PROOF_REFUSED", "The proof of the device's key is not right.");
}

function parse(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString());
  } catch {
    return undefined; // No JSON: no proof.
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
    return false; // No point of the curve.
  }
}
