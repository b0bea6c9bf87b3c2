import type { AskCallback } from "@holdpoint/protocol";

/** Where a program is told that its ask is over. */
export interface CallbackOf {
  readonly interactionId: string;
  readonly url: string;
}

/** What tells programs that their asks are over. */
export interface CallbacksPort {
  /** Why nothing is sent there; `undefined`: it may be. */
  refuses(url: string): string | undefined;
  /**
   * Keeps the callback, then writes the ask: in this order no crash leaves an ask without its callback. Resolves and rejects
   * as `write` does, with `TOO_MANY_PENDING` where too many are kept, and with `StoreError` when it cannot be kept.
   */
  hold<T>(callback: CallbackOf, write: () => Promise<T>): Promise<T>;
  /** `undefined` for an ask that has none. */
  find(interactionId: string): Promise<AskCallback | undefined>;
}

/** For a gateway that calls nobody. */
export const NO_CALLBACKS: CallbacksPort = {
  refuses: () => "This gateway calls no programs.",
  hold: (_, write) => write(),
  find: async () => undefined,
};
