/** The session and creator that a request counts for in limits. */
export interface Asker {
  readonly sessionId: string;
  readonly createdBy: string;
}

/** Counts the interactions that are not in the store yet. Counts of stored interactions do not include them. */
export class UnwrittenInteractions {
  readonly #askers = new Set<Asker>();
  readonly #bySession = new Map<string, number>();
  readonly #byCreator = new Map<string, number>();

  get size(): number {
    return this.#askers.size;
  }

  inSession(sessionId: string): number {
    return this.#bySession.get(sessionId) ?? 0;
  }

  /** In all sessions of this creator. */
  of(createdBy: string): number {
    return this.#byCreator.get(createdBy) ?? 0;
  }

  /** Counts one more until the result is disposed, when the interaction is written or will not be. */
  add({ sessionId, createdBy }: Asker): Disposable {
    const asker = { sessionId, createdBy };
    this.#askers.add(asker);
    change(this.#bySession, sessionId, 1);
    change(this.#byCreator, createdBy, 1);
    return {
      [Symbol.dispose]: () => {
        if (!this.#askers.delete(asker)) return;
        change(this.#bySession, sessionId, -1);
        change(this.#byCreator, createdBy, -1);
      },
    };
  }
}

function change(counts: Map<string, number>, key: string, difference: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + difference;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
