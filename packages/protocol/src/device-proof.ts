/*
 * A person's device has a key pair (ECDSA, P-256). Its token is useless without that key: each request carries a proof,
 * a JWT as in RFC 9449 (DPoP), for its method, URL and body and for a nonce from the gateway. The gateway has a key
 * pair, too, and proves its identity before a device sends anything.
 */

/** A public P-256 key, reduced to the JWK members that distinguish it, base64url. */
export interface PublicKey {
  readonly x: string;
  readonly y: string;
}

/** The claims of a proof. RFC 9449 defines `htm`, `htu`, `ath`, `jti`, `iat` and `nonce`. */
export interface ProofClaims {
  readonly jti: string;
  readonly htm: string;
  /** The origin of the page and the path, without a query. */
  readonly htu: string;
  /** Ignored, since the device's clock is not trusted: the nonce shows the age of a proof. */
  readonly iat: number;
  /** The SHA-256 hash of the token, base64url. Absent while there is no token. */
  readonly ath?: string;
  /** The SHA-256 hash of the body, base64url. Absent without a body. */
  readonly bodyHash?: string;
  readonly nonce: string;
}

/** Returns the text whose SHA-256 hash, base64url, is the thumbprint of a key (RFC 7638). */
export function toThumbprintText({ x, y }: PublicKey): string {
  return `{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`;
}

/** The statement that the gateway signs to prove its identity, for one page and one challenge. */
export interface GatewayStatement {
  /** Chosen by the page, so that earlier answers cannot be replayed. */
  readonly challenge: string;
  /** The gateway's address as the page knows it, so that another gateway's answer cannot be passed on. */
  readonly origin: string;
  readonly protocolVersion: number;
  /** The nonce for the device's next proofs. */
  readonly nonce: string;
}

/** Returns the exact text of a statement that is signed. */
export function toStatementText({
  challenge,
  origin,
  protocolVersion,
  nonce,
}: GatewayStatement): string {
  return JSON.stringify(["holdpoint gateway", challenge, origin, protocolVersion, nonce]);
}
