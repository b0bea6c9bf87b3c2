/** A process that no turn is using. */
export interface IdleProcess {
  /** Ends it. The next turn of its conversation starts another one. */
  drop(): void;
}

/** Limits the processes kept between turns: beyond the limit, the one that has been idle for longest ends. */
export class IdleProcesses {
  readonly #most: number;
  /** In the order in which they became idle. */
  readonly #idle = new Set<IdleProcess>();

  constructor(most: number) {
    this.#most = most;
  }

  add(process: IdleProcess): void {
    this.#idle.delete(process);
    this.#idle.add(process);
    for (const oldest of this.#idle) {
      if (this.#idle.size <= this.#most) return;
      this.#idle.delete(oldest);
      oldest.drop();
    }
  }

  /** For a process that is in use again, or gone. */
  remove(process: IdleProcess): void {
    this.#idle.delete(process);
  }
}
