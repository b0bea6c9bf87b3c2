/** A call of a gateway tool, as its turn knows it. */
export interface EndableCall {
  /** Ends the call before its handler is done; does nothing once it has ended. */
  cancel(reason: string): void;
  /** From now on nothing cancels it: its agent is about to be ended, and must not hear of it. */
  suspend(): void;
  /** Its agent is gone and may make the same call again: it ends, and what it asked stays as it is. */
  letGo(): void;
}

/** The calls of gateway tools in one turn. */
export class TurnCalls {
  /** Interactions of an earlier turn that calls of this one took up. */
  readonly adopted = new Set<string>();
  /** Texts from sensitive fields that its calls got: masked in everything that is written for the turn. */
  readonly secrets = new Set<string>();
  readonly #running = new Set<EndableCall>();
  readonly #idle = Promise.withResolvers<void>();
  #hasBeenIdle = false;
  #endReason: string | undefined;

  /** Whether its last call has left before. */
  get hasBeenIdle(): boolean {
    return this.#hasBeenIdle;
  }

  /** Resolves when the last call has left for the first time. */
  get idle(): Promise<void> {
    return this.#idle.promise;
  }

  /** The call must leave again. It is cancelled when the turn ends, which may be at once. */
  enter(call: EndableCall): void {
    this.#running.add(call);
    if (this.#endReason !== undefined) call.cancel(this.#endReason);
  }

  leave(call: EndableCall): void {
    this.#running.delete(call);
    if (this.#running.size > 0) return;
    this.#hasBeenIdle = true;
    this.#idle.resolve();
  }

  /** How many run. */
  get size(): number {
    return this.#running.size;
  }

  suspend(): void {
    for (const call of this.#running) call.suspend();
  }

  letGo(): void {
    for (const call of this.#running) call.letGo();
  }

  /** Cancels all calls, and those that enter later. */
  end(reason: string): void {
    this.#endReason ??= reason;
    for (const call of this.#running) call.cancel(reason);
  }
}
