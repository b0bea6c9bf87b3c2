import { ProtocolError } from "@holdpoint/protocol";

/** Why the gateway ends a stream by itself; said in its last frame. */
export type ClosingReason = "draining" | "revoked" | "slow_client";

interface OpenStream {
  readonly person: string;
  readonly tokenId: string;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Owns every open stream: counts them per person, ends those of a revoked token, and all when the server closes. */
export class StreamRegistry {
  readonly #perPerson: number;
  readonly #open = new Set<OpenStream>();
  /** A request may have passed authentication just before its token was revoked. */
  readonly #revoked = new Set<string>();

  constructor(perPerson: number) {
    this.#perPerson = perPerson;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Runs a stream, which never rejects, and gives it the signal that ends it, with a `ClosingReason`.
   * Throws `RATE_LIMITED` when the person has as many streams as anybody may have, `UNAUTHENTICATED` for a token that
   * was revoked.
   */
  run(
    { person, tokenId }: { readonly person: string; readonly tokenId: string },
    stream: (ended: AbortSignal) => Promise<void>,
  ): void {
    if (this.#revoked.has(tokenId)) {
      throw new ProtocolError("UNAUTHENTICATED", "This token was revoked.");
    }
    const theirs = [...this.#open].filter((open) => open.person === person);
    if (theirs.length >= this.#perPerson) {
      throw new ProtocolError("RATE_LIMITED", `At most ${this.#perPerson} streams at a time.`, {
        retryAfterMs: 1000,
      });
    }
    const controller = new AbortController();
    const done = stream(controller.signal).finally(() => this.#open.delete(entry));
    const entry: OpenStream = { person, tokenId, controller, done };
    this.#open.add(entry);
  }

  /** True while a stream of the token is open. */
  has(tokenId: string): boolean {
    return [...this.#open].some((open) => open.tokenId === tokenId);
  }

  /** Ends the token's streams and lets it open no more. */
  revoke(tokenId: string): void {
    this.#revoked.add(tokenId);
    for (const { controller, ...stream } of this.#open) {
      if (stream.tokenId === tokenId) controller.abort("revoked" satisfies ClosingReason);
    }
  }

  /** Resolves when all have ended. */
  async endAll(reason: ClosingReason): Promise<void> {
    const open = [...this.#open];
    for (const { controller } of open) controller.abort(reason);
    await Promise.all(open.map(({ done }) => done));
  }
}
