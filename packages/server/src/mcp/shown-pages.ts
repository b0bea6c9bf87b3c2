/** The messages to a client of 2025-11-25 that can show pages. */
export interface PageSender {
  /** Asks the client to show an interaction's page. Resolves with its reply. */
  readonly show: (interactionId: string, signal: AbortSignal) => Promise<unknown>;
  /** Notifies the client that the page is done. */
  readonly done: (interactionId: string) => Promise<void>;
}

/**
 * The pages that a client shows for one call. Its replies are ignored, and the call keeps waiting even if no page is
 * opened, because people may answer elsewhere. Disposing it closes the last page.
 */
export class ShownPages implements Disposable {
  readonly #sender: PageSender;
  #shown: { readonly interactionId: string; readonly over: AbortController } | undefined;

  constructor(sender: PageSender) {
    this.#sender = sender;
  }

  /** Replaces the current page, which is done then. */
  show(interactionId: string): void {
    if (this.#shown?.interactionId === interactionId) return;
    this.#close();
    const over = new AbortController();
    this.#shown = { interactionId, over };
    // A client that cannot show the page waits like any other.
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
