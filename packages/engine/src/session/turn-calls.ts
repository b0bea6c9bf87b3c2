/** A call of a gateway tool, as seen by its turn. */
export interface EndableCall {
  /** Whether it has asked a person, in this run or in an earlier one. */
  readonly hasAsked: boolean;
  /** Ends the call before its handler is done. Does nothing once the call has ended. */
  cancel(reason: string): void;
  /** Makes `cancel` do nothing, because the agent is about to be ended and must not notice. */
  suspend(): void;
  /** Ends the call because its agent is gone. Its interactions stay unchanged, since the agent may repeat the call. */
  letGo(): void;
}

/** The calls of gateway tools in one turn. */
export class TurnCalls {
  /** Interactions of an earlier turn that calls of this one have taken up. */
  readonly adopted = new Set<string>();
  /**
   * Texts from sensitive fields that its calls have received. They are masked in everything written for the turn
   * (R-19).
   */
  readonly secrets = new Set<string>();
  readonly #running = new Set<EndableCall>();
  readonly #idle = Promise.withResolvers<void>();
  #hasBeenIdle = false;
  #endReason: string | undefined;

  /** Whether its last call has left at least once. */
  get hasBeenIdle(): boolean {
    return this.#hasBeenIdle;
  }

  /** Resolves when the last call leaves for the first time. */
  get idle(): Promise<void> {
    return this.#idle.promise;
  }

  /** Adds a call, which must leave again. It is cancelled when the turn ends, which may be at once. */
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

  /** Whether a running call has asked a person. An answer may be on its way to the agent. */
  get hasAsked(): boolean {
    return [...this.#running].some((call) => call.hasAsked);
  }

  /** The number of running calls. */
  get size(): number {
    return this.#running.size;
  }

  suspend(): void {
    for (const call of this.#running) call.suspend();
  }

  letGo(): void {
    for (const call of this.#running) call.letGo();
  }

  /** Cancels all calls, including later ones. */
  end(reason: string): void {
    this.#endReason ??= reason;
    for (const call of this.#running) call.cancel(reason);
  }
}
