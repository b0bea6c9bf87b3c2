import type { Callback, CallbackStore } from "./ports/callback-store.ts";

/** Creates a `CallbackStore` in memory. Its callbacks are lost with the process. */
export function createMemoryCallbackStore(): CallbackStore {
  const callbacks = new Map<string, Callback>();
  return {
    async listOpen() {
      return [...callbacks.values()]
        .filter(isOpen)
        .toSorted(
          (a, b) => a.createdAtMs - b.createdAtMs || (a.interactionId < b.interactionId ? -1 : 1),
        );
    },
    async find(interactionId) {
      return callbacks.get(interactionId);
    },
    async put(callback) {
      callbacks.set(callback.interactionId, { ...callback });
    },
    async remove(interactionId) {
      callbacks.delete(interactionId);
    },
    async forgetDone(beforeMs) {
      for (const [id, callback] of callbacks) {
        if (!isOpen(callback) && callback.changedAtMs < beforeMs) callbacks.delete(id);
      }
    },
  };
}

function isOpen({ state }: Callback): boolean {
  return state === "waiting" || state === "sending";
}
