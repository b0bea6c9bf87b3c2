import type { InteractionResponse } from "@holdpoint/protocol";

import type { StoredInteraction } from "../ports/store.ts";

/** How the wait for one interaction ended. */
export type Settlement =
  | {
      readonly status: "answered";
      readonly response: InteractionResponse;
      /** The row written with the response. */
      readonly stored: StoredInteraction;
    }
  | { readonly status: "expired"; readonly takesLateAnswer: boolean }
  /** The interaction is still open, but it no longer holds anything up. The response will come as a message. */
  | { readonly status: "queued"; readonly stored: StoredInteraction }
  | { readonly status: "withdrawn"; readonly reason: string };

export interface Wait {
  /** The turn in which the interaction was asked. */
  readonly turn: { readonly sessionId: string; readonly pending: Set<string> };
  /** Whether the interaction is withdrawn when every client that may answer has left. */
  readonly endsWithClients: boolean;
  /** The hash of the grants that would answer the interaction. */
  readonly grantHash: string | undefined;
  /** Called once, with the end of the wait, unless it was dropped. */
  end(settlement: Settlement): void;
  /** Ends the wait without a result for its requester. */
  drop(): void;
}

/** All waits of this process. Each is settled once and leaves nothing behind. */
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

  /** The session of the waiting turn; `undefined` without a wait. */
  sessionOf(interactionId: string): string | undefined {
    return this.#waits.get(interactionId)?.turn.sessionId;
  }

  endsWithClients(interactionId: string): boolean {
    return this.#waits.get(interactionId)?.endsWithClients ?? false;
  }

  /** Ids of the interactions that are withdrawn when every client that may answer has left. */
  endingWithClients(): string[] {
    return [...this.#waits].flatMap(([id, wait]) => (wait.endsWithClients ? [id] : []));
  }

  /** Ids of the interactions that a grant with this hash would answer. */
  waitingFor(grantHash: string): string[] {
    return [...this.#waits].flatMap(([id, wait]) => (wait.grantHash === grantHash ? [id] : []));
  }

  /** Registers a wait. If the agent repeats its request while it waits, both waits end with the same interaction. */
  register(interactionId: string, wait: Wait): void {
    const before = this.#waits.get(interactionId);
    this.#waits.set(interactionId, before ? join(before, wait) : wait);
    wait.turn.pending.add(interactionId);
  }

  /** Ends the wait. False when it has already ended. */
  settle(interactionId: string, settlement: Settlement): boolean {
    const wait = this.#waits.get(interactionId);
    if (!wait) return false;
    this.#forget(interactionId, wait);
    wait.end(settlement);
    return true;
  }

  /** Forgets the wait without ending it, because its agent is about to be ended. */
  drop(interactionId: string): void {
    const wait = this.#waits.get(interactionId);
    if (!wait) return;
    this.#forget(interactionId, wait);
    wait.drop();
  }

  /** Ends every wait, without an answer. */
  withdrawAll(reason: string): void {
    for (const interactionId of this.#waits.keys()) {
      this.settle(interactionId, { status: "withdrawn", reason });
    }
  }

  #forget(interactionId: string, { turn }: Wait): void {
    this.#waits.delete(interactionId);
    turn.pending.delete(interactionId);
    if (this.#waits.size === 0) this.#onEmpty();
  }
}

function join(one: Wait, other: Wait): Wait {
  const { turn, endsWithClients, grantHash } = other;
  return {
    turn,
    endsWithClients,
    grantHash,
    end(settlement) {
      one.end(settlement);
      other.end(settlement);
    },
    drop() {
      one.drop();
      other.drop();
    },
  };
}
