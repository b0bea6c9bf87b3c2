import {
  createECDH,
  createHash,
  createPrivateKey,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";

import { type GatewayStatement, type PublicKey, toStatementText } from "@holdpoint/protocol";

import { thumbprintOf } from "./thumbprint.ts";

/** The key by which devices recognise this gateway, even if another program listens at its address later. */
export class GatewayIdentity {
  readonly publicKey: PublicKey;
  /** The key's thumbprint, as launch links carry it and devices store it. */
  readonly thumbprint: string;
  readonly #privateKey: KeyObject;

  /** Derives the key from 32 secret bytes; the same seed gives the same key. Default: random. */
  constructor(seed: Uint8Array = randomBytes(32)) {
    const { scalar, point } = toKeyPair(seed);
    this.publicKey = {
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    };
    this.thumbprint = thumbprintOf(this.publicKey);
    const d = Buffer.from(scalar).toString("base64url");
    this.#privateKey = createPrivateKey({
      format: "jwk",
      key: { kty: "EC", crv: "P-256", ...this.publicKey, d },
    });
  }

  sign(statement: GatewayStatement): string {
    const text = Buffer.from(toStatementText(statement));
    const key = { key: this.#privateKey, dsaEncoding: "ieee-p1363" } as const;
    return sign("sha256", text, key).toString("base64url");
  }
}

/** About one seed in 2³² is not a valid private key of the curve. Its hash is used then. */
function toKeyPair(seed: Uint8Array): { readonly scalar: Uint8Array; readonly point: Buffer } {
  const pair = createECDH("prime256v1");
  try {
    pair.setPrivateKey(seed);
    return { scalar: seed, point: pair.getPublicKey() };
  } catch {
    return toKeyPair(createHash("sha256").update(seed).digest());
  }
}
