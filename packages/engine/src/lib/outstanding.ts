/** Work that was started without waiting for it. Its owner can wait for all of it before it ends. */
export class Outstanding {
  readonly #work = new Set<Promise<unknown>>();

  /** Returns the promise itself; its failure is for the caller to handle. */
  track<TResult>(work: Promise<TResult>): Promise<TResult> {
    const done = work
      .catch(() => undefined)
      .finally(() => {
        this.#work.delete(done);
      });
    this.#work.add(done);
    return work;
  }

  /** Resolves when all that was tracked has ended, also what was added meanwhile. Never rejects. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }
}
