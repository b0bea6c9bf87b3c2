import type { ProofClaims, PublicKey } from "@holdpoint/protocol";

import type { SignedRequest } from "../signer.ts";
import { hashText, toBase64Url } from "./base64-url.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** The key pair of a device. The private key cannot be exported from the browser, not even by the page. */
export interface DeviceKey {
  readonly privateKey: CryptoKey;
  readonly publicKey: PublicKey;
}

/** Creates a new key. Needs WebCrypto, which browsers offer on https and on this machine's own addresses. */
export async function createDeviceKey(): Promise<DeviceKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ["sign"]);
  const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", publicKey);
  return { privateKey, publicKey: { x, y } };
}

export interface ProofParts extends SignedRequest {
  /** Absent while the device has no token. */
  readonly token?: string;
  readonly nonce: string;
}

/** Creates the proof that a request comes from the device with this key (RFC 9449). */
export async function createProof(
  { privateKey, publicKey }: DeviceKey,
  { method, url, body, token, nonce }: ProofParts,
): Promise<string> {
  const { origin, pathname } = new URL(url);
  const claims: ProofClaims = {
    jti: toBase64Url(crypto.getRandomValues(new Uint8Array(16))),
    htm: method,
    htu: origin + pathname,
    // Ignored by the gateway: the nonce shows the age of a proof, independent of clocks.
    iat: 0,
    nonce,
    ...(token !== undefined && { ath: await hashText(token) }),
    ...(body !== undefined && { bodyHash: await hashText(body) }),
  };
  const jwk = { kty: "EC", crv: "P-256", ...publicKey };
  const text = `${encode({ typ: "dpop+jwt", alg: "ES256", jwk })}.${encode(claims)}`;
  const bytes = new TextEncoder().encode(text);
  return `${text}.${toBase64Url(await crypto.subtle.sign(ALGORITHM, privateKey, bytes))}`;
}

/** Whether the holder of the public key has signed this text. */
export async function isSignedBy(
  publicKey: PublicKey,
  text: string,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const jwk = { kty: "EC", crv: "P-256", x: publicKey.x, y: publicKey.y };
  const key = await crypto.subtle.importKey("jwk", jwk, ALGORITHM, false, ["verify"]);
  return crypto.subtle.verify(ALGORITHM, key, signature, new TextEncoder().encode(text));
}

function encode(value: object): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
