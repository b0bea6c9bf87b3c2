/** Wakes everything that waits for a change. It keeps no changes: each waiter looks for them itself. */
export class Notifier {
  #version = 0;
  #waiting = new Set<() => void>();

  get version(): number {
    return this.#version;
  }

  /** The number of waiters. */
  get waiting(): number {
    return this.#waiting.size;
  }

  notify(): void {
    this.#version += 1;
    const woken = this.#waiting;
    if (woken.size === 0) return;
    this.#waiting = new Set();
    for (const wake of woken) wake();
  }

  /** Resolves once the version differs from `since` or the signal aborts. Leaves no listeners behind. */
  wait(since: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (this.#version !== since || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", wake);
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}
