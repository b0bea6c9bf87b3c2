import type { AskCallback } from "@holdpoint/protocol";

/** The callback for one ask, with the progress of its delivery. */
export interface Callback extends AskCallback {
  /** The interaction of the ask. An ask has at most one callback. */
  readonly interactionId: string;
  readonly url: string;
  /** The time of the next try while the state is `sending`. */
  readonly dueAtMs?: number;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

/** Stores callbacks. Resolves once a write is stored. Rejects with `StoreError`, like `Store`. */
export interface CallbackStore {
  /** Returns the callbacks that are `waiting` or `sending`, oldest first. */
  listOpen(): Promise<readonly Callback[]>;
  /** Resolves to `undefined` for an ask without a callback. */
  find(interactionId: string): Promise<Callback | undefined>;
  /** Adds a callback, or replaces the one of the same ask. */
  put(callback: Callback): Promise<void>;
  remove(interactionId: string): Promise<void>;
  /** Removes `delivered` and `failed` callbacks that last changed before this time. */
  forgetDone(beforeMs: number): Promise<void>;
}
