/** Data to record about an interaction once its agent shows the result of the tool call. */
export interface UnconfirmedAnswer {
  /** Why the tool could not handle the answer. */
  readonly failure?: string | undefined;
  /** The interaction keeps the result of the call, but the call got no answer from it. */
  readonly isKeeper?: true;
}

/** Answers that their agent has not confirmed, by tool call. The call's result in the agent's stream confirms them. */
export class UnconfirmedAnswers {
  readonly #calls = new Map<string, Map<string, UnconfirmedAnswer>>();

  get size(): number {
    return this.#calls.size;
  }

  has(toolCallId: string): boolean {
    return this.#calls.has(toolCallId);
  }

  /** Ids of the call's interactions. */
  of(toolCallId: string): ReadonlySet<string> {
    return new Set(this.#calls.get(toolCallId)?.keys());
  }

  add(toolCallId: string, interactionId: string, answer: UnconfirmedAnswer = {}): void {
    const ofCall = this.#calls.get(toolCallId) ?? new Map<string, UnconfirmedAnswer>();
    this.#calls.set(toolCallId, ofCall.set(interactionId, answer));
  }

  /** Removes and returns the interactions of all calls. */
  takeAll(): string[] {
    const ids = [...this.#calls.values()].flatMap((ofCall) => [...ofCall.keys()]);
    this.#calls.clear();
    return ids;
  }

  /** Removes and returns the interactions of the call. */
  take(toolCallId: string): ReadonlyMap<string, UnconfirmedAnswer> {
    const ofCall = this.#calls.get(toolCallId);
    this.#calls.delete(toolCallId);
    return ofCall ?? new Map();
  }
}
