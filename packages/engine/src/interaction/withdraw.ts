import type { Core } from "../gateway/core.ts";
import { toInstant } from "../lib/instant.ts";
import { settle } from "./settle.ts";

/** Takes back what is to be answered only while somebody who can is here. */
export function withdrawAbandoned(core: Core): void {
  for (const interactionId of core.waiters.endingWithClients()) {
    core.background
      .track(withdraw(core, interactionId, "Everybody who could answer has left."))
      .catch((error: unknown) => core.onError(error, "withdraw"));
  }
}

/**
 * Takes back what was asked, unless somebody has answered it already. While the gateway closes, the row stays as it is
 * and only the wait ends: the next start makes it answerable late. Rejects when the store fails; the wait has ended.
 */
export async function withdraw(core: Core, interactionId: string, reason: string): Promise<void> {
  if (core.draining.aborted) {
    core.waiters.settle(interactionId, { status: "withdrawn", reason });
    return;
  }
  try {
    const stored = await core.store.getInteraction(interactionId);
    if (!stored) return;
    const event = { type: "withdraw", at: toInstant(core.clock.now()), reason } as const;
    const { status } = await settle(core, stored, event);
    if (status === "gone") core.waiters.settle(interactionId, { status: "withdrawn", reason });
  } catch (error: unknown) {
    core.waiters.settle(interactionId, { status: "withdrawn", reason });
    throw error;
  }
}
