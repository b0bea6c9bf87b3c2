import { inEnglish } from "@holdpoint/protocol";

import type { SendResult } from "../deliveries/target.ts";
import { backoffAfter, MAX_TRIES } from "../lib/backoff.ts";
import type { Callback } from "../ports/callback-store.ts";

/*
 * The life of one callback, without time or storage:
 *
 *   waiting ─ask settled─▶ sending ─2xx─▶ delivered
 *                           │  ▲ └─refused, or too many tries─▶ failed
 *                           └──┘ missed: try again later
 *
 * Each try is recorded before it is made. If a killed gateway sent a request without recording the result, the next
 * gateway sends it again with the same id and the same bytes.
 */

export function newCallback(of: Pick<Callback, "interactionId" | "url">, nowMs: number): Callback {
  return { ...of, state: "waiting", tries: 0, createdAtMs: nowMs, changedAtMs: nowMs };
}

/** Marks a callback as due, because its ask was settled. */
export function makeDue(callback: Callback, nowMs: number): Callback {
  return { ...callback, state: "sending", dueAtMs: nowMs, changedAtMs: nowMs };
}

/** Records a try. Store the result before the request goes out: after a crash, the callback is then due at once. */
export function beginTry(callback: Callback, nowMs: number): Callback {
  return { ...callback, tries: callback.tries + 1, changedAtMs: nowMs };
}

/** Records the result of a try. */
export function endTry(callback: Callback, result: SendResult, nowMs: number): Callback {
  const { dueAtMs: _, problem: __, ...rest } = callback;
  const left = { ...rest, changedAtMs: nowMs };
  switch (result.kind) {
    case "sent":
      return { ...left, state: "delivered" };
    case "gone":
      return { ...left, state: "failed", problem: "It is gone." };
    case "refused":
      return { ...left, state: "failed", problem: inEnglish(result.reason) };
    case "missed": {
      const problem = inEnglish(result.reason);
      if (callback.tries >= MAX_TRIES) return { ...left, state: "failed", problem };
      const waitMs = Math.max(result.afterMs ?? 0, backoffAfter(callback.tries));
      return { ...left, state: "sending", dueAtMs: nowMs + waitMs, problem };
    }
  }
}

/** Fails a callback whose address is no longer allowed. */
export function giveUp(callback: Callback, problem: string, nowMs: number): Callback {
  const { dueAtMs: _, ...rest } = callback;
  return { ...rest, state: "failed", problem, changedAtMs: nowMs };
}
