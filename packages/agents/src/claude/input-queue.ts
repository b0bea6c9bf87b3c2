/**
 * Messages for a consumer that reads until the queue is closed. It stays open between messages: a runtime whose
 * input ends takes that for the end of the conversation.
 */
export class InputQueue<TItem> implements AsyncIterable<TItem> {
  readonly #items: TItem[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;

  /** Ignored once the queue is closed. */
  push(item: TItem): void {
    if (this.#isClosed) return;
    this.#items.push(item);
    this.#wake();
  }

  /** What was not read yet is dropped. */
  close(): void {
    this.#isClosed = true;
    this.#items.length = 0;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TItem, void, undefined> {
    while (!this.#isClosed) {
      const item = this.#items.shift();
      if (item !== undefined) yield item;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
