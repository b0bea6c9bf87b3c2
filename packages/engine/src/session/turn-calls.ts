/** What one turn has to do with calls of gateway tools. */
export class TurnCalls {
  /** No message began the turn: it lasts as long as there are calls, and the gateway writes what they do. */
  readonly isOwn: boolean;
  /** Interactions of an earlier turn that its calls took up. */
  readonly adopted = new Set<string>();
  /** What its calls got from sensitive fields: masked in whatever is written for the turn. */
  readonly secrets = new Set<string>();
  readonly #ended = new AbortController();
  readonly #idle = Promise.withResolvers<void>();
  #running = 0;
  #isIdle = false;

  constructor({ isOwn }: { readonly isOwn: boolean }) {
    this.isOwn = isOwn;
  }

  /** Aborts when the turn is over. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Whether a call may still enter. */
  get isOpen(): boolean {
    return !this.#ended.signal.aborted && !(this.isOwn && this.#isIdle);
  }

  /** Resolves when the last call has left for the first time. */
  get idle(): Promise<void> {
    return this.#idle.promise;
  }

  enter(): void {
    this.#running += 1;
  }

  leave(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#isIdle = true;
    this.#idle.resolve();
  }

  end(): void {
    this.#ended.abort(new DOMException("The turn has ended.", "AbortError"));
  }
}
