import { type Caller, personKeyOf, ProtocolError } from "@holdpoint/protocol";

import type { StreamLimits } from "./stream-limits.ts";
import { TokenEnds, type TokenEndsParts } from "./token-ends.ts";

/** Why the gateway ends a stream; sent in its last frame. */
export type ClosingReason = "credential_ended" | "draining" | "revoked" | "slow_client";

/** The owner of a stream. */
export interface StreamHolder extends Pick<Caller, "person" | "personId"> {
  readonly tokenId: string;
  /** When the token expires, in milliseconds since the epoch. Default: never. */
  readonly endsAtMs?: number;
}

interface OpenStream {
  readonly person: string;
  readonly tokenId: string;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/**
 * Owns all open streams: counts them per credential and person, and ends them when their token is revoked or expires,
 * or when the server closes.
 */
export class StreamRegistry {
  readonly #limits: Pick<StreamLimits, "perCredential" | "perPerson">;
  readonly #open = new Set<OpenStream>();
  /** Needed because a request may have been authenticated just before its token was revoked. */
  readonly #revoked = new Set<string>();
  readonly #ends: TokenEnds;

  constructor(limits: Pick<StreamLimits, "perCredential" | "perPerson">, parts: TokenEndsParts) {
    this.#limits = limits;
    this.#ends = new TokenEnds(parts, (tokenId) => this.#end(tokenId, "credential_ended"));
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Runs a stream, which must never reject, with a signal that aborts with a `ClosingReason`. Throws `RATE_LIMITED`
   * when the credential or its person has too many streams, and `UNAUTHENTICATED` for a revoked token.
   */
  run(
    { tokenId, endsAtMs = Infinity, ...holder }: StreamHolder,
    stream: (ended: AbortSignal) => Promise<void>,
  ): void {
    if (this.#revoked.has(tokenId)) {
      throw new ProtocolError("UNAUTHENTICATED", "This token was revoked.");
    }
    const person = personKeyOf(holder);
    const { perCredential, perPerson } = this.#limits;
    const open = [...this.#open];
    assertFewer(open.filter((one) => one.tokenId === tokenId).length, perCredential);
    assertFewer(open.filter((one) => one.person === person).length, perPerson);
    const controller = new AbortController();
    const done = stream(controller.signal).finally(() => {
      this.#open.delete(entry);
      if (!this.has(tokenId)) this.#ends.forget(tokenId);
    });
    const entry: OpenStream = { person, tokenId, controller, done };
    this.#open.add(entry);
    this.#ends.watch(tokenId, endsAtMs);
  }

  /** True while a stream of the token is open. */
  has(tokenId: string): boolean {
    return [...this.#open].some((open) => open.tokenId === tokenId);
  }

  /** Ends the token's streams and refuses new ones. */
  revoke(tokenId: string): void {
    this.#revoked.add(tokenId);
    this.#end(tokenId, "revoked");
  }

  /** Ends the token's streams. They may be opened again. */
  endOf(tokenId: string): void {
    this.#end(tokenId, "draining");
  }

  /** Resolves when all streams have ended. */
  async endAll(reason: ClosingReason): Promise<void> {
    const open = [...this.#open];
    for (const { controller } of open) controller.abort(reason);
    await Promise.all(open.map(({ done }) => done));
  }

  #end(tokenId: string, reason: ClosingReason): void {
    for (const { controller, ...stream } of this.#open) {
      if (stream.tokenId === tokenId) controller.abort(reason);
    }
  }
}

function assertFewer(count: number, most: number): void {
  if (count < most) return;
  throw new ProtocolError("RATE_LIMITED", `At most ${most} streams at a time.`, {
    retryAfterMs: 1000,
  });
}
