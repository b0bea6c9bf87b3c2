import type { ServerResponse } from "node:http";

/** Tracks unanswered requests, so that a server can close once all are answered. */
export class RunningRequests {
  readonly #running = new Set<ServerResponse>();
  readonly #waiting: (() => void)[] = [];

  track(outgoing: ServerResponse): void {
    this.#running.add(outgoing);
    outgoing.once("close", () => {
      this.#running.delete(outgoing);
      if (this.#running.size > 0) return;
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }

  /** Resolves once all requests are answered. */
  async settled(): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
