/** One interaction, with the acknowledgements to its asker and its answerers. */
export interface Entry {
  readonly interactionId: string;
  readonly sessionId: string;
  /** The reply that was acknowledged to its person. */
  reply?: string;
  /** Its program received the answer. */
  isFetched?: true;
}

/** The acknowledgements to programs and people, and the contradictions in them. */
export class Book {
  readonly entries = new Map<string, Entry>();
  readonly problems: string[] = [];
  /** The number of unexpected answers by status. */
  readonly refusals = new Map<number, number>();
  readonly #open: Entry[] = [];

  get open(): readonly Entry[] {
    return this.#open;
  }

  get answered(): number {
    return this.entries.size - this.#open.length;
  }

  asked(entry: Entry): void {
    this.entries.set(entry.interactionId, entry);
    this.#open.push(entry);
  }

  /** Takes any pending entry that no one is answering yet. The caller reports the outcome. */
  takeAny(): Entry | undefined {
    const index = Math.floor(Math.random() * this.#open.length);
    const last = this.#open.pop();
    const taken = this.#open[index];
    if (!last || !taken) return last;
    this.#open[index] = last;
    return taken;
  }

  problem(text: string): void {
    this.problems.push(text);
  }

  refused(status: number): void {
    this.refusals.set(status, (this.refusals.get(status) ?? 0) + 1);
  }
}
