/** Work that was started without waiting for it. Its owner can wait for all of it before closing. */
export class BackgroundTasks {
  readonly #work = new Set<Promise<unknown>>();

  /** Returns the promise itself. The caller handles its failure. */
  track<TResult>(work: Promise<TResult>): Promise<TResult> {
    const done = work
      .catch(() => undefined)
      .finally(() => {
        this.#work.delete(done);
      });
    this.#work.add(done);
    return work;
  }

  /** Resolves when all tracked work has ended, including work added while waiting. Never rejects. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }
}
