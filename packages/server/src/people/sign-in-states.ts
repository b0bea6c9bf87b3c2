import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

import type { Clock } from "@holdpoint/engine";
import { z } from "zod";

const LASTS_MS = 10 * 60_000;
const MAX_LENGTH = 1024;

/** The browser that started a sign-in, the issuer, and the page to return to. */
export interface BegunAt {
  readonly issuerId: string;
  /** Thumbprint of the key that the browser created for this. */
  readonly thumbprint: string;
  /** Base URL of the page, without a trailing slash. */
  readonly pageUrl: string;
}

/** The parameters of one sign-in for the issuer and for the final check. */
export interface BegunState extends BegunAt {
  readonly state: string;
  /**
   * The PKCE verifier, without which the issuer's code is worthless. It stays in the gateway until the code has
   * arrived.
   */
  readonly verifier: string;
  /** Must appear in the issuer's statement. */
  readonly nonce: string;
}

const bodySchema = z.strictObject({
  id: z.string(),
  issuerId: z.string(),
  thumbprint: z.string(),
  /** The base URL of the page. */
  origin: z.string(),
  untilMs: z.number(),
});

/**
 * Creates and verifies the `state` of a sign-in. It is signed, and the verifier and nonce are derived from it, so the
 * gateway stores nothing for a sign-in in progress: no one can exhaust its memory or displace other sign-ins, and any
 * node can finish them.
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

  /** Returns `undefined` when the state was changed, has expired, or is from another gateway. */
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
