import type { InteractionResponse } from "@holdpoint/protocol";

import type { StoredInteraction } from "../ports/store.ts";
import type { RunningTurn } from "../session/running-turn.ts";

/** How the wait for one interaction ended. */
export type Settlement =
  | {
      readonly status: "answered";
      readonly response: InteractionResponse;
      /** As written with the response. */
      readonly stored: StoredInteraction;
    }
  | { readonly status: "expired"; readonly takesLateAnswer: boolean }
  /** It stays open, though not for this wait. */
  | { readonly status: "queued"; readonly stored: StoredInteraction }
  | { readonly status: "withdrawn"; readonly reason: string };

/** One agent's wait. It keeps no request: whoever settles it brings what is needed. */
interface Waiter {
  readonly turn: RunningTurn;
  readonly resolve: (settlement: Settlement) => void;
  readonly signal: AbortSignal;
  readonly onAbort: () => void;
  /** It is taken back when everybody who could answer has left. */
  readonly endsWithClients?: boolean;
  /** What a grant that answers it is found by. */
  readonly grantHash?: string | undefined;
}

/** All waits of this process. Each is settled once, and then nothing of it is left. */
export class Waiters {
  readonly #waiters = new Map<string, Waiter>();
  readonly #onEmpty: () => void;

  constructor(options: { readonly onEmpty: () => void }) {
    this.#onEmpty = options.onEmpty;
  }

  get size(): number {
    return this.#waiters.size;
  }

  has(interactionId: string): boolean {
    return this.#waiters.has(interactionId);
  }

  /** Ids of those that are taken back when everybody who could answer has left. */
  endingWithClients(): string[] {
    return [...this.#waiters].flatMap(([id, waiter]) => (waiter.endsWithClients ? [id] : []));
  }

  turnOf(interactionId: string): RunningTurn | undefined {
    return this.#waiters.get(interactionId)?.turn;
  }

  /** Ids of those that a grant found by this hash would answer. */
  waitingFor(grantHash: string): string[] {
    return [...this.#waiters].flatMap(([id, waiter]) =>
      waiter.grantHash === grantHash ? [id] : [],
    );
  }

  /** Registers the wait; `onAbort` is called when `signal` aborts before it is settled. */
  register(interactionId: string, wait: Omit<Waiter, "resolve">): Promise<Settlement> {
    return new Promise((resolve) => {
      this.#waiters.set(interactionId, { ...wait, resolve });
      wait.turn.pending.add(interactionId);
      wait.signal.addEventListener("abort", wait.onAbort, { once: true });
    });
  }

  /** False when nobody waits for it any more. */
  settle(interactionId: string, settlement: Settlement): boolean {
    const waiter = this.#waiters.get(interactionId);
    if (!waiter) return false;
    this.#waiters.delete(interactionId);
    waiter.turn.pending.delete(interactionId);
    waiter.signal.removeEventListener("abort", waiter.onAbort);
    waiter.resolve(settlement);
    if (this.#waiters.size === 0) this.#onEmpty();
    return true;
  }

  /** Settles every wait without a person's word. */
  withdrawAll(reason: string): void {
    for (const interactionId of this.#waiters.keys()) {
      this.settle(interactionId, { status: "withdrawn", reason });
    }
  }
}
