import { createECDH, createPrivateKey, type KeyObject, sign } from "node:crypto";

const CURVE = "prime256v1";
const PRIVATE_BYTES = 32;
const LIFETIME_S = 12 * 60 * 60;

/** The gateway's key for push services (RFC 8292). They reject messages from anyone else. */
export interface VapidKey {
  /** The key that browsers subscribe with: an uncompressed P-256 point, base64url. */
  readonly publicKey: string;
  /** The private key, 32 bytes. Store it where no one else can read it. */
  readonly privateBytes: Buffer;
  /** Returns the `Authorization` header for an endpoint. It is valid for its push service and for twelve hours. */
  authorize(endpoint: URL, nowMs: number): string;
}

export interface VapidKeyOptions {
  /** The `privateBytes` of an earlier key. Default: a new key. */
  readonly privateBytes?: Buffer;
  /** The contact for operators of push services: a `mailto:` or `https:` address. */
  readonly contact: string;
}

/** Creates a key, or restores an earlier one from its `privateBytes`. Throws for bytes that are not a valid key. */
export function createVapidKey({ privateBytes, contact }: VapidKeyOptions): VapidKey {
  const pair = createECDH(CURVE);
  if (privateBytes) pair.setPrivateKey(privateBytes);
  else pair.generateKeys();
  const point = pair.getPublicKey();
  const secret = Buffer.alloc(PRIVATE_BYTES);
  const bytes = pair.getPrivateKey();
  bytes.copy(secret, PRIVATE_BYTES - bytes.length);
  const key = toKey(secret, point);
  const publicKey = point.toString("base64url");
  return {
    publicKey,
    privateBytes: secret,
    authorize(endpoint, nowMs) {
      const claims = {
        aud: endpoint.origin,
        exp: Math.floor(nowMs / 1000) + LIFETIME_S,
        sub: contact,
      };
      return `vapid t=${signToken(key, claims)}, k=${publicKey}`;
    },
  };
}

function toKey(secret: Buffer, point: Buffer): KeyObject {
  const jwk = {
    kty: "EC",
    crv: "P-256",
    d: secret.toString("base64url"),
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  return createPrivateKey({ key: jwk, format: "jwk" });
}

/** A JWT with ES256 (RFC 7515). */
function signToken(key: KeyObject, claims: object): string {
  const [head, body] = [{ typ: "JWT", alg: "ES256" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const text = `${head}.${body}`;
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}
