import type { AskCallback } from "@holdpoint/protocol";

/** Where one program is told that its ask is over, and how far that is. */
export interface Callback extends AskCallback {
  /** Of the ask. Each has one callback at most. */
  readonly interactionId: string;
  readonly url: string;
  /** When it is tried next, while it is `sending`. */
  readonly dueAtMs?: number;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

/** Keeps callbacks. Nothing resolves before it is kept. Rejects with `StoreError` like `Store`. */
export interface CallbackStore {
  /** Those that are `waiting` or `sending`, oldest first. */
  listOpen(): Promise<readonly Callback[]>;
  /** `undefined` for an ask without one. */
  find(interactionId: string): Promise<Callback | undefined>;
  /** In the place of the one of this ask. */
  put(callback: Callback): Promise<void>;
  remove(interactionId: string): Promise<void>;
  /** Removes those that are `delivered` or `failed` and have not changed since then. */
  forgetDone(beforeMs: number): Promise<void>;
}
