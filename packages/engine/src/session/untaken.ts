/** What is left to be recorded about an interaction once its agent shows the result of its tool call. */
export interface UntakenAnswer {
  /** Why the tool could not handle the answer. */
  readonly failure?: string | undefined;
  /** It keeps the result of the call and has no answer that the call had. */
  readonly isKeeper?: true;
}

/** Answers that their agent has not shown to have, by tool call. The result of the call in its stream shows that. */
export class Untaken {
  readonly #calls = new Map<string, Map<string, UntakenAnswer>>();

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

  add(toolCallId: string, interactionId: string, answer: UntakenAnswer = {}): void {
    const ofCall = this.#calls.get(toolCallId) ?? new Map<string, UntakenAnswer>();
    this.#calls.set(toolCallId, ofCall.set(interactionId, answer));
  }

  /** The interactions of all calls, which are removed. */
  takeAll(): string[] {
    const ids = [...this.#calls.values()].flatMap((ofCall) => [...ofCall.keys()]);
    this.#calls.clear();
    return ids;
  }

  /** The interactions of the call, which are removed. */
  take(toolCallId: string): ReadonlyMap<string, UntakenAnswer> {
    const ofCall = this.#calls.get(toolCallId);
    this.#calls.delete(toolCallId);
    return ofCall ?? new Map();
  }
}
