/*
 * A person's device has a key pair (ECDSA, P-256). Its token is worth nothing without it: each request carries a proof,
 * a JWT as RFC 9449 (DPoP) describes it, for this method, this URL, this body and a nonce of the gateway. The gateway has
 * a key pair as well, and proves with it who it is before a device sends anything.
 */

/** A public key as the members of a JWK that tell it from others: P-256, base64url. */
export interface PublicKey {
  readonly x: string;
  readonly y: string;
}

/** What a proof says. `htm`, `htu`, `ath`, `jti`, `iat` and `nonce` are those of RFC 9449. */
export interface ProofClaims {
  readonly jti: string;
  readonly htm: string;
  /** The origin of the page and the path, without a query. */
  readonly htu: string;
  /** By the device's clock, which nobody trusts: how old a proof is shows in its nonce. */
  readonly iat: number;
  /** The base64url SHA-256 of the token; absent while there is none yet. */
  readonly ath?: string;
  /** The base64url SHA-256 of the body; absent without one. */
  readonly bodyHash?: string;
  readonly nonce: string;
}

/** The text whose base64url SHA-256 is the thumbprint of a key (RFC 7638). */
export function toThumbprintText({ x, y }: PublicKey): string {
  return `{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`;
}

/** What the gateway signs to prove who it is, for one page and one question of it. */
export interface GatewayStatement {
  /** Of the page, so that no earlier answer can be repeated. */
  readonly challenge: string;
  /** The address that the page knows the gateway by, so that no other gateway's answer can be passed on. */
  readonly origin: string;
  readonly protocolVersion: number;
  /** For the device's next proofs. */
  readonly nonce: string;
}

/** The text of a statement, exactly as it is signed. */
export function toStatementText({
  challenge,
  origin,
  protocolVersion,
  nonce,
}: GatewayStatement): string {
  return JSON.stringify(["holdpoint gateway", challenge, origin, protocolVersion, nonce]);
}
