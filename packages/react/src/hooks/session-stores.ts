import type {
  Clock,
  createSessionStore,
  Randomness,
  SessionStore,
  Transport,
} from "@holdpoint/client";

/** Passed in by users of a session, so that a page without sessions does not load the code. */
export type CreateSessionStore = typeof createSessionStore;

/** How many sessions stay up to date after they were left, so that returning to one is instant. */
const KEPT_IDLE = 3;

interface SessionStoresOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** One store per session, shared by all components that show it. */
export interface SessionStores extends AsyncDisposable {
  /** The session's store. It ends some time after its last subscriber left, when others have been viewed since. */
  get(sessionId: string, create: CreateSessionStore): SessionStore;
  /** Subscribes to `get(sessionId)`. Returns the function to unsubscribe. */
  subscribe(sessionId: string, create: CreateSessionStore, listener: () => void): () => void;
  /** Reconnects the stores that are not live. */
  refreshBroken(): void;
  refreshAll(): void;
}

interface Entry {
  readonly store: SessionStore;
  subscribers: number;
}

export function createSessionStores(options: SessionStoresOptions): SessionStores {
  // In the order of last use: the first one is the least recently used.
  const entries = new Map<string, Entry>();
  const obtain = (sessionId: string, create: CreateSessionStore): Entry => {
    const known = entries.get(sessionId);
    if (known !== undefined) return known;
    const entry: Entry = { store: create({ ...options, sessionId }), subscribers: 0 };
    entries.set(sessionId, entry);
    return entry;
  };
  const drop = (sessionId: string, { store }: Entry): void => {
    entries.delete(sessionId);
    void store[Symbol.asyncDispose]();
  };
  const prune = (): void => {
    const idle = [...entries].filter(([, { subscribers }]) => subscribers === 0);
    for (const [sessionId, entry] of idle.slice(0, Math.max(0, idle.length - KEPT_IDLE))) {
      drop(sessionId, entry);
    }
  };
  return {
    get: (sessionId, create) => obtain(sessionId, create).store,
    subscribe(sessionId, create, listener) {
      const entry = obtain(sessionId, create);
      entries.delete(sessionId);
      entries.set(sessionId, entry);
      entry.subscribers += 1;
      const unsubscribe = entry.store.subscribe(listener);
      let open = true;
      return () => {
        if (!open) return;
        open = false;
        unsubscribe();
        entry.subscribers -= 1;
        prune();
      };
    },
    refreshBroken() {
      for (const { store } of entries.values()) {
        if (store.getSnapshot().connection !== "live") store.refresh();
      }
    },
    refreshAll() {
      for (const { store } of entries.values()) store.refresh();
    },
    async [Symbol.asyncDispose]() {
      const stores = [...entries.values()].map(({ store }) => store);
      entries.clear();
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
    },
  };
}
