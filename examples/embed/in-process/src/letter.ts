/** The document of the app: what the person types, and what the agent may change once it is allowed to. */
export interface Letter {
  readonly read: () => string;
  readonly write: (text: string) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createLetter(text: string): Letter {
  const listeners = new Set<() => void>();
  return {
    read: () => text,
    write(next) {
      text = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
