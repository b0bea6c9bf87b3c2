import type { BackgroundTasks } from "../lib/background-tasks.ts";
import { toInstant } from "../lib/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { SettleInteraction } from "./settle.ts";
import type { Waiters } from "./waiters.ts";

export interface WithdrawParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly waiters: Waiters;
  readonly settle: SettleInteraction;
  readonly draining: AbortSignal;
}

/**
 * Withdraws a pending interaction, unless it has been answered. While the gateway closes, only the wait ends and the
 * row stays unchanged, so that it takes a late response after the next start. Rejects when the store fails; the wait
 * has ended then.
 */
export type WithdrawInteraction = (interactionId: string, reason: string) => Promise<void>;

export function createWithdrawal({
  store,
  clock,
  waiters,
  settle,
  draining,
}: WithdrawParts): WithdrawInteraction {
  return async (interactionId, reason) => {
    const endWait = () => waiters.settle(interactionId, { status: "withdrawn", reason });
    if (draining.aborted) {
      endWait();
      return;
    }
    try {
      const stored = await store.getInteraction(interactionId);
      if (!stored) return;
      const input = { type: "withdraw", at: toInstant(clock.now()), reason } as const;
      const { status } = await settle(stored, input);
      if (status === "gone") endWait();
    } catch (error: unknown) {
      endWait();
      throw error;
    }
  };
}

/** Withdraws, in the background, interactions that wait only while a client that may answer is connected. */
export function withdrawAbandoned(parts: {
  readonly waiters: Waiters;
  /** Whether such a client is connected. */
  readonly isAvailable: (interactionId: string) => boolean;
  readonly withdraw: WithdrawInteraction;
  readonly background: BackgroundTasks;
  readonly onError: (error: unknown, where: string) => void;
}): void {
  for (const interactionId of parts.waiters.endingWithClients()) {
    if (parts.isAvailable(interactionId)) continue;
    parts.background
      .track(parts.withdraw(interactionId, "Everyone who could answer has left."))
      .catch((error: unknown) => parts.onError(error, "withdraw"));
  }
}
