import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

import type { Clock } from "@holdpoint/engine";
import { z } from "zod";

const LASTS_MS = 10 * 60_000;
const MAX_LENGTH = 1024;

/** Which browser began to sign in, where, and at which address it comes back. */
export interface BegunAt {
  readonly issuerId: string;
  /** Thumbprint of the key that the browser has made for this. */
  readonly thumbprint: string;
  /** Address of the page, without a slash at the end. */
  readonly pageUrl: string;
}

/** What the issuer is told of one sign-in, and what it has to know of it at the end. */
export interface BegunState extends BegunAt {
  readonly state: string;
  /** Of PKCE: with it alone the issuer's code is worth something. It never leaves the gateway before the code has come. */
  readonly verifier: string;
  /** Stands in the issuer's statement. */
  readonly nonce: string;
}

const bodySchema = z.strictObject({
  id: z.string(),
  issuerId: z.string(),
  thumbprint: z.string(),
  /** The address of the page. */
  origin: z.string(),
  untilMs: z.number(),
});

/**
 * Makes and reads the `state` of a sign-in. It is signed, and the rest is derived from it: the gateway keeps nothing of a
 * sign-in that has begun, so nobody can fill it with them or push out those of others, and any node can end it.
 */
export class SignInStates {
  readonly #clock: Pick<Clock, "now">;
  readonly #key: Uint8Array;

  constructor(clock: Pick<Clock, "now">, key: Uint8Array) {
    this.#clock = clock;
    this.#key = key;
  }

  begin({ issuerId, thumbprint, pageUrl }: BegunAt): BegunState {
    const id = randomBytes(16).toString("base64url");
    const untilMs = this.#clock.now() + LASTS_MS;
    const text = JSON.stringify({ id, issuerId, thumbprint, origin: pageUrl, untilMs });
    const body = Buffer.from(text).toString("base64url");
    return this.#derive({ issuerId, thumbprint, pageUrl }, body);
  }

  /** `undefined` for what was changed, is too old, or was made by another gateway. */
  open(state: string): (BegunState & { readonly untilMs: number }) | undefined {
    if (state.length > MAX_LENGTH) return undefined;
    const [body = "", mac = "", ...more] = state.split(".");
    const expected = Buffer.from(this.#sign("state", body));
    const given = Buffer.from(mac);
    const isSigned =
      more.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
    if (!isSigned) return undefined;
    const {
      id: _,
      untilMs,
      origin: pageUrl,
      ...at
    } = bodySchema.parse(JSON.parse(Buffer.from(body, "base64url").toString()));
    return untilMs > this.#clock.now()
      ? { ...this.#derive({ ...at, pageUrl }, body), untilMs }
      : undefined;
  }

  #derive(at: BegunAt, body: string): BegunState {
    return {
      ...at,
      state: `${body}.${this.#sign("state", body)}`,
      verifier: this.#sign("verifier", body),
      nonce: this.#sign("nonce", body),
    };
  }

  #sign(purpose: "nonce" | "state" | "verifier", body: string): string {
    return createHmac("sha256", this.#key).update(`${purpose} ${body}`).digest("base64url");
  }
}
