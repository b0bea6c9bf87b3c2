/** One interaction, as those know it who asked and answered. */
export interface Entry {
  readonly interactionId: string;
  readonly sessionId: string;
  /** What its person was told to have said. */
  reply?: string;
  /** Its program was told the answer. */
  isFetched?: true;
}

/** What programs and people were told, and what of it cannot be. */
export class Book {
  readonly entries = new Map<string, Entry>();
  readonly problems: string[] = [];
  /** How many answers came with which status beside those that were hoped for. */
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

  /** Any one that is pending and that nobody answers yet. The caller says what came of it. */
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
