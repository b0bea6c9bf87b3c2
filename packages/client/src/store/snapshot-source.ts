/** What `useSyncExternalStore` needs; its functions may be passed on alone. */
export interface SnapshotSource<TSnapshot> {
  /** The same object until something changes. */
  readonly getSnapshot: () => TSnapshot;
  /** Returns how to stop listening. */
  readonly subscribe: (listener: () => void) => () => void;
}

export interface SnapshotCell<TSnapshot> extends SnapshotSource<TSnapshot> {
  /** Listeners hear of it once in a microtask, however often it is set before. */
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
      const own = (): void => listener(); // So that one function may listen twice.
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
