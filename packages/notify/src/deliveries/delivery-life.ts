import { backoffAfter } from "../lib/backoff.ts";
import type { Delivery, DeliveryStep } from "../ports/notification-store.ts";

/** How long after it was told an interaction that is still pending is told once more. */
export const REPEAT_AFTER_MS = 10 * 60 * 1000;
/** With the waits between them about two hours. */
const MAX_TRIES = 12;

/*
 * The life of one notification, without time, ids or storage:
 *
 *   queued ─tell──▶ sent ─repeat──▶ sent            (once, after ten minutes)
 *     │               └────close──▶ closed          (nothing is pending any more: what was said is taken back)
 *     ├─settled before it was sent─▶ closed
 *     └─refused, or too many tries─▶ failed ─settled─▶ closed
 *
 * Before each try it is written that there is one. So after a crash a message may be sent again, with the same tag, and one
 * that may be shown is always taken back.
 */

export type QueuedFor = Pick<Delivery, "deliveryId" | "targetId"> & {
  readonly interactionId: string | undefined;
};

export function queueDelivery(
  { interactionId, ...of }: QueuedFor,
  { atMs, nowMs }: { readonly atMs: number; readonly nowMs: number },
): Delivery {
  return {
    ...of,
    ...(interactionId !== undefined && { interactionId }),
    state: "queued",
    next: { step: "tell", atMs },
    tries: 0,
    mayBeShown: false,
    createdAtMs: nowMs,
    changedAtMs: nowMs,
  };
}

/** To be written before the message goes out. */
export function beginTry(delivery: Delivery, step: DeliveryStep, nowMs: number): Delivery {
  const mayBeShown = delivery.mayBeShown || step !== "close";
  return { ...delivery, mayBeShown, tries: delivery.tries + 1, changedAtMs: nowMs };
}

/** The service has taken the message. */
export function noteSent(
  delivery: Delivery,
  step: DeliveryStep,
  { nowMs, repeats }: { readonly nowMs: number; readonly repeats: boolean },
): Delivery {
  const { next: _, ...rest } = delivery;
  const done = { ...rest, tries: 0, changedAtMs: nowMs };
  if (step === "close") return { ...done, state: "closed" };
  return { ...done, state: "sent", ...(step === "tell" && repeats && repeatAt(nowMs)) };
}

/** The person looks at the page on that device: nothing is sent now. */
export function noteSeen(delivery: Delivery, step: DeliveryStep, nowMs: number): Delivery {
  const { next: _, ...rest } = delivery;
  return { ...rest, changedAtMs: nowMs, ...(step === "tell" && repeatAt(nowMs)) };
}

export function postpone(delivery: Delivery, step: DeliveryStep, atMs: number): Delivery {
  return { ...delivery, next: { step, atMs } };
}

/** The service could not be reached, or wants to be asked later. */
export function noteMissed(
  delivery: Delivery,
  step: DeliveryStep,
  { nowMs, afterMs = 0 }: { readonly nowMs: number; readonly afterMs?: number | undefined },
): Delivery {
  if (delivery.tries >= MAX_TRIES) return noteRefused(delivery, step, nowMs);
  const atMs = nowMs + Math.max(afterMs, backoffAfter(delivery.tries));
  return { ...delivery, next: { step, atMs }, changedAtMs: nowMs };
}

/** The service will not take it. What could not be taken back is over all the same. */
export function noteRefused(delivery: Delivery, step: DeliveryStep, nowMs: number): Delivery {
  const { next: _, ...rest } = delivery;
  return { ...rest, state: step === "close" ? "closed" : "failed", changedAtMs: nowMs };
}

/** What it is about is not pending any more. */
export function settleDelivery(delivery: Delivery, nowMs: number): Delivery {
  if (delivery.state === "closed" || delivery.next?.step === "close") return delivery;
  const { next: _, ...rest } = delivery;
  const settled = { ...rest, tries: 0, changedAtMs: nowMs };
  return delivery.mayBeShown && delivery.state !== "failed"
    ? { ...settled, next: { step: "close", atMs: nowMs } }
    : { ...settled, state: "closed" };
}

function repeatAt(nowMs: number): Pick<Delivery, "next"> {
  return { next: { step: "repeat", atMs: nowMs + REPEAT_AFTER_MS } };
}
