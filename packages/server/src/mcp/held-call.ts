import type { Clock, ToolCall, ToolCallRequest, ToolCallResult } from "@holdpoint/engine";

import { LASTS_MS } from "./asked-states.ts";
import type { ServedTools } from "./served-tools.ts";

/** How a request's wait for a call has ended. */
export type Attended =
  | { readonly kind: "result"; readonly result: ToolCallResult }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "asked"; readonly interactionId: string }
  /** The client waits no longer, or is gone. */
  | { readonly kind: "gone" | "limit" };

export interface Attending {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long it waits; absent: without end. */
  readonly limitMs: number | undefined;
  /** The interaction that the client knows of already. */
  readonly after?: string;
}

/** A call that goes on without the request that made it, until a client that comes back has its result. */
export class HeldCall {
  readonly tokenId: string;
  readonly toolCallId: string;
  /** The interaction that it waits for, or waited for last. */
  asked: string | undefined;
  /** How often a client has come back to it. */
  waits = 0;
  /** How it has ended. */
  outcome: Attended | undefined;
  /** Resolves, never rejects, once `outcome` is there. */
  readonly over: Promise<void>;
  readonly #call: ToolCall;
  readonly #outcome: Promise<Attended>;
  readonly #givenUp = new AbortController();
  readonly #expiry: Disposable;
  #attendants = 0;
  #leaving: Disposable | undefined;
  #onAsked: ((interactionId: string) => void) | undefined;

  constructor(
    { tools, clock }: { readonly tools: ServedTools; readonly clock: Clock },
    { tokenId, request }: { readonly tokenId: string; readonly request: ToolCallRequest },
  ) {
    this.tokenId = tokenId;
    this.toolCallId = request.toolCallId;
    this.#call = tools.call(request, {
      signal: this.#givenUp.signal,
      onAsked: (interactionId) => {
        this.asked = interactionId;
        this.#onAsked?.(interactionId);
      },
    });
    this.#outcome = this.#call.result.then(
      (result) => ({ kind: "result", result }),
      (error: unknown) => ({ kind: "failed", error }),
    );
    this.over = this.#outcome.then((outcome) => {
      this.outcome = outcome;
    });
    // Nobody can come back to it then: its answer comes as a message.
    this.#expiry = clock.after(LASTS_MS, () => this.finishAsQueued());
  }

  /** A request waits for it. */
  get isAttended(): boolean {
    return this.#attendants > 0;
  }

  finishAsQueued(): void {
    this.#call.finishAsQueued();
  }

  /** Takes back what it asks. */
  cancel(): void {
    this.forget();
    this.#givenUp.abort();
  }

  /** Its client has gone while it waited: runs `end` unless the client comes back in time. */
  endUnlessBack(clock: Clock, graceMs: number, end: () => void): void {
    this.#leaving?.[Symbol.dispose]();
    this.#leaving = clock.after(graceMs, end);
  }

  /** Leaves no timer behind. */
  forget(): void {
    this.#leaving?.[Symbol.dispose]();
    this.#expiry[Symbol.dispose]();
  }

  /** Waits until it is over, or asks what the client does not know of. */
  async attend({ clock, signal, limitMs, after }: Attending): Promise<Attended> {
    const ends = new AbortController();
    const { promise, resolve } = Promise.withResolvers<Attended>();
    this.#attendants += 1;
    this.#leaving?.[Symbol.dispose]();
    this.#onAsked = (interactionId) => {
      if (interactionId !== after) resolve({ kind: "asked", interactionId });
    };
    if (this.asked !== undefined) this.#onAsked(this.asked);
    const limit =
      limitMs === undefined ? undefined : clock.after(limitMs, () => resolve({ kind: "limit" }));
    if (signal.aborted) resolve({ kind: "gone" });
    signal.addEventListener("abort", () => resolve({ kind: "gone" }), { signal: ends.signal });
    try {
      return await Promise.race([this.#outcome, promise]);
    } finally {
      this.#attendants -= 1;
      this.#onAsked = undefined;
      ends.abort();
      limit?.[Symbol.dispose]();
    }
  }
}
