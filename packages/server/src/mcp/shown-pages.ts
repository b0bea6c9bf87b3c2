/** What a client of 2025-11-25 that shows pages is sent beside its call. */
export interface PageSender {
  /** Asks it to show the page of an interaction; resolves with what it says to that. */
  readonly show: (interactionId: string, signal: AbortSignal) => Promise<unknown>;
  /** Tells it that the page is done. */
  readonly done: (interactionId: string) => Promise<void>;
}

/**
 * The pages that a client shows for one call. Whatever it says to them is no answer, and a page that it does not open leaves
 * the call waiting: people may answer elsewhere. Disposing it closes the last one.
 */
export class ShownPages implements Disposable {
  readonly #sender: PageSender;
  #shown: { readonly interactionId: string; readonly over: AbortController } | undefined;

  constructor(sender: PageSender) {
    this.#sender = sender;
  }

  /** Shows this page in the place of the one before, which is done. */
  show(interactionId: string): void {
    if (this.#shown?.interactionId === interactionId) return;
    this.#close();
    const over = new AbortController();
    this.#shown = { interactionId, over };
    // A client that cannot show it, or is gone, waits as any other.
    this.#sender.show(interactionId, over.signal).catch(() => undefined);
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  #close(): void {
    const shown = this.#shown;
    this.#shown = undefined;
    if (!shown) return;
    this.#sender.done(shown.interactionId).catch(() => undefined);
    shown.over.abort();
  }
}
