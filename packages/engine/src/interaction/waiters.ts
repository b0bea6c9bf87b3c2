import type { InteractionResponse } from "@holdpoint/protocol";

import type { StoredInteraction } from "../ports/store.ts";

/** How the wait for one interaction ended. */
export type Settlement =
  | {
      readonly status: "answered";
      readonly response: InteractionResponse;
      /** As written with the response. */
      readonly stored: StoredInteraction;
    }
  | { readonly status: "expired"; readonly takesLateAnswer: boolean }
  /** The interaction is still open, but nothing is held up by it: the response will come as a message. */
  | { readonly status: "queued"; readonly stored: StoredInteraction }
  | { readonly status: "withdrawn"; readonly reason: string };

/** One wait for one interaction. */
export interface Wait {
  /** The turn in which the interaction was asked. */
  readonly turn: { readonly pending: Set<string> };
  /** The interaction is withdrawn when every client that may answer has left. */
  readonly endsWithClients: boolean;
  /** Finds the grants that would answer the interaction. */
  readonly grantHash: string | undefined;
  /** Called once, with how the wait has ended. */
  end(settlement: Settlement): void;
}

/** All waits of this process. Each is settled once, and nothing of it is left then. */
export class Waiters {
  readonly #waits = new Map<string, Wait>();
  readonly #onEmpty: () => void;

  constructor(options: { readonly onEmpty: () => void }) {
    this.#onEmpty = options.onEmpty;
  }

  get size(): number {
    return this.#waits.size;
  }

  has(interactionId: string): boolean {
    return this.#waits.has(interactionId);
  }

  /** Ids of the interactions that are withdrawn when every client that may answer has left. */
  endingWithClients(): string[] {
    return [...this.#waits].flatMap(([id, wait]) => (wait.endsWithClients ? [id] : []));
  }

  /** Ids of the interactions that a grant with this hash would answer. */
  waitingFor(grantHash: string): string[] {
    return [...this.#waits].flatMap(([id, wait]) => (wait.grantHash === grantHash ? [id] : []));
  }

  register(interactionId: string, wait: Wait): void {
    this.#waits.set(interactionId, wait);
    wait.turn.pending.add(interactionId);
  }

  /** Ends the wait; false when it has ended before. */
  settle(interactionId: string, settlement: Settlement): boolean {
    const wait = this.#waits.get(interactionId);
    if (!wait) return false;
    this.#waits.delete(interactionId);
    wait.turn.pending.delete(interactionId);
    wait.end(settlement);
    if (this.#waits.size === 0) this.#onEmpty();
    return true;
  }

  /** Ends every wait, without an answer. */
  withdrawAll(reason: string): void {
    for (const interactionId of this.#waits.keys()) {
      this.settle(interactionId, { status: "withdrawn", reason });
    }
  }
}
