import type { Clock, ToolCall, ToolCallRequest, ToolCallResult } from "@holdpoint/engine";

import { LASTS_MS } from "./asked-states.ts";
import type { ServedTools } from "./served-tools.ts";

/** How waiting for a call ended. */
export type Attended =
  | { readonly kind: "result"; readonly result: ToolCallResult }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "asked"; readonly interactionId: string }
  /** The client has stopped waiting or has disconnected. */
  | { readonly kind: "gone" | "limit" };

export interface Attending {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The longest wait, in milliseconds; absent: without a limit. */
  readonly limitMs: number | undefined;
  /** The interaction that the client already knows. */
  readonly after?: string;
}

/** A call that continues without the HTTP request that made it, until a returning client gets its result. */
export class HeldCall {
  readonly tokenId: string;
  readonly toolCallId: string;
  /** The interaction that the call waits for, or last waited for. */
  asked: string | undefined;
  /** How many times a client has returned to the call. */
  waits = 0;
  outcome: Attended | undefined;
  /** Resolves once `outcome` is set. Never rejects. */
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
    // No client can return after this time, so the answer is delivered as a message.
    this.#expiry = clock.after(LASTS_MS, () => this.finishAsQueued());
  }

  /** True while an HTTP request waits for the call. */
  get isAttended(): boolean {
    return this.#attendants > 0;
  }

  finishAsQueued(): void {
    this.#call.finishAsQueued();
  }

  /** Withdraws the call's request. */
  cancel(): void {
    this.forget();
    this.#givenUp.abort();
  }

  /** Runs `end` unless the disconnected client returns in time. */
  endUnlessBack(clock: Clock, graceMs: number, end: () => void): void {
    this.#leaving?.[Symbol.dispose]();
    this.#leaving = clock.after(graceMs, end);
  }

  /** Stops the timers. */
  forget(): void {
    this.#leaving?.[Symbol.dispose]();
    this.#expiry[Symbol.dispose]();
  }

  /** Waits until the call is over or asks something other than `after`. */
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
