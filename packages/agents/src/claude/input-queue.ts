/**
 * Messages for a consumer that reads until the queue is closed. The queue stays open between messages, since a runtime
 * takes the end of its input for the end of the conversation.
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

  /** Drops unread messages. */
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
