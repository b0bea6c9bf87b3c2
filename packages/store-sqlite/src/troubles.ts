import type { StoreError } from "@holdpoint/engine";

import type { FolderEvents } from "./writer-lock.ts";

/** Reports once that commits fail, and once that they succeed again. */
export class Troubles {
  readonly #events: Required<FolderEvents>;
  #said: string | undefined;

  constructor(events: Required<FolderEvents>) {
    this.#events = events;
  }

  /** Reports a failed commit. If another gateway is writing, this one has lost the folder. */
  failed(error: StoreError): void {
    if (this.#said === error.message) return;
    this.#said = error.message;
    if (error.code === "STORE_LOCKED") return this.#events.onLost(error);
    const refused = "Answers and messages are refused until it can be written again.";
    this.#events.onProblem(`${error.message} ${refused}`);
  }

  ended(): void {
    if (this.#said === undefined) return;
    this.#said = undefined;
    this.#events.onProblem("The store takes writes again.");
  }
}
