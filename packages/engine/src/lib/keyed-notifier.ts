import { Notifier } from "./notifier.ts";

interface Entry {
  readonly notifier: Notifier;
  users: number;
}

/** A notifier for each key, so that followers of one key are not woken for every other. */
export class KeyedNotifier {
  readonly #entries = new Map<string, Entry>();

  /** The number of keys that are followed. */
  get size(): number {
    return this.#entries.size;
  }

  /** The notifier of one key. Each call needs a `release`. */
  acquire(key: string): Notifier {
    const entry = this.#entries.get(key) ?? { notifier: new Notifier(), users: 0 };
    entry.users += 1;
    this.#entries.set(key, entry);
    return entry.notifier;
  }

  release(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.users -= 1;
    if (entry.users === 0) this.#entries.delete(key);
  }

  notify(key: string): void {
    this.#entries.get(key)?.notifier.notify();
  }

  notifyAll(): void {
    for (const { notifier } of this.#entries.values()) notifier.notify();
  }
}
