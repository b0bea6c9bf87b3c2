/** The arguments of `useSyncExternalStore`. The functions do not depend on `this`. */
export interface SnapshotSource<TSnapshot> {
  /** Returns the same object until something changes. */
  readonly getSnapshot: () => TSnapshot;
  /** Adds a listener. Returns the function that removes it. */
  readonly subscribe: (listener: () => void) => () => void;
}

export interface SnapshotCell<TSnapshot> extends SnapshotSource<TSnapshot> {
  /** Replaces the snapshot. Listeners are called once per microtask, however often it is set. */
  readonly set: (snapshot: TSnapshot) => void;
}

export function createSnapshotCell<TSnapshot>(initial: TSnapshot): SnapshotCell<TSnapshot> {
  const listeners = new Set<() => void>();
  let snapshot = initial;
  let isAnnounced = false;
  const announce = (): void => {
    isAnnounced = false;
    for (const listener of listeners) listener();
  };
  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      const own = (): void => listener(); // Allows the same function to listen twice.
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    set(next) {
      if (next === snapshot) return;
      snapshot = next;
      if (isAnnounced) return;
      isAnnounced = true;
      queueMicrotask(announce);
    },
  };
}
