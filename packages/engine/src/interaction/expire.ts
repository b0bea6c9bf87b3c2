import type { Core } from "../gateway/core.ts";
import { toInstant } from "../lib/instant.ts";
import type { StoredInteraction } from "../ports/store.ts";
import { settle, type SettleResult } from "./settle.ts";

const sweepSize = 100;

/** Ends every wait whose deadline has come; returns the next deadline. */
export async function expireDue(core: Core, nowMs: number): Promise<number | undefined> {
  while (!core.draining.aborted) {
    const due = await core.store.listDue(nowMs, sweepSize);
    const results = await Promise.all(due.map((stored) => expire(core, stored, nowMs)));
    // Also ends when somebody else has settled all of them.
    if (!results.some((result) => result.status === "moved")) break;
  }
  return core.store.nextDeadline();
}

/** Ends one wait at its deadline, if nobody has answered before. */
export function expire(
  core: Core,
  stored: StoredInteraction,
  nowMs: number,
): Promise<SettleResult> {
  return settle(core, stored, { type: "deadline", at: toInstant(nowMs) });
}
