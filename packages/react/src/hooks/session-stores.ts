import type {
  Clock,
  createSessionStore,
  Randomness,
  SessionStore,
  Transport,
} from "@holdpoint/client";

/** Is handed in by who uses a session: a page without one does not load its code. */
export type CreateSessionStore = typeof createSessionStore;

/** This many sessions stay up to date after they were left, so that going back to one is instant. */
const KEPT_IDLE = 3;

interface SessionStoresOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** One store per session, shared by all components that show it. */
export interface SessionStores extends AsyncDisposable {
  /** The session's store. It ends some time after its last subscriber, when others were looked at since. */
  get(sessionId: string, create: CreateSessionStore): SessionStore;
  /** Subscribes to `get(sessionId)`; returns how to stop. */
  subscribe(sessionId: string, create: CreateSessionStore, listener: () => void): () => void;
  /** Connects those now that are not live. */
  refreshBroken(): void;
  refreshAll(): void;
}

interface Entry {
  readonly store: SessionStore;
  subscribers: number;
}

export function createSessionStores(options: SessionStoresOptions): SessionStores {
  // In the order of last use: the first is the one that was not looked at for longest.
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
