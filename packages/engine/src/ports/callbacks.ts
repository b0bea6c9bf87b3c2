import type { AskCallback } from "@holdpoint/protocol";

/** The address to notify when a program's ask is over. */
export interface CallbackOf {
  readonly interactionId: string;
  readonly url: string;
}

/** Notifies programs when their asks are over. */
export interface CallbacksPort {
  /** Why the address is refused; `undefined` if it is allowed. */
  refuses(url: string): string | undefined;
  /**
   * Stores the callback, then writes the ask: in this order no crash leaves an ask without its callback. Resolves and
   * rejects as `write` does. Also rejects with `TOO_MANY_PENDING` when too many callbacks are stored, and with
   * `StoreError` when this one cannot be stored.
   */
  hold<T>(callback: CallbackOf, write: () => Promise<T>): Promise<T>;
  /** Resolves to `undefined` for an ask without a callback. */
  find(interactionId: string): Promise<AskCallback | undefined>;
}

/** For a gateway without callbacks. */
export const NO_CALLBACKS: CallbacksPort = {
  refuses: () => "This gateway has no callbacks.",
  hold: (_, write) => write(),
  find: async () => undefined,
};
