import { createECDH, createPrivateKey, type KeyObject, sign } from "node:crypto";

const CURVE = "prime256v1";
const PRIVATE_BYTES = 32;
const LIFETIME_S = 12 * 60 * 60;

/** The gateway's own key for push services (RFC 8292): they let in no messages of anybody else. */
export interface VapidKey {
  /** What browsers subscribe with: an uncompressed point of P-256, base64url. */
  readonly publicKey: string;
  /** 32 bytes, to be kept where nobody else reads them. */
  readonly privateBytes: Buffer;
  /** The `Authorization` header for a message to this endpoint. It holds for twelve hours, and for one push service. */
  authorize(endpoint: URL, nowMs: number): string;
}

export interface VapidKeyOptions {
  /** Of an earlier key. Default: another key. */
  readonly privateBytes?: Buffer;
  /** Whom a push service can write to: `mailto:` or `https:`. */
  readonly contact: string;
}

/** Throws for bytes that are no key. */
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
