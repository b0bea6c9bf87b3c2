import { backoffAfter, MAX_TRIES } from "../lib/backoff.ts";
import type { Delivery, DeliveryStep } from "../ports/notification-store.ts";

/** The time after which the notification of a pending interaction is repeated. */
export const REPEAT_AFTER_MS = 10 * 60 * 1000;

/*
 * The life of one notification, without time, ids or storage:
 *
 *   queued ─tell──▶ sent ─repeat──▶ sent            (once, after ten minutes)
 *     │               └────close──▶ closed          (its subject is settled: the notification is withdrawn)
 *     ├─settled before it was sent─▶ closed
 *     └─refused, or too many tries─▶ failed ─settled─▶ closed
 *
 * Each try is recorded before it is made. So after a crash a message may be sent again, with the same tag, and a
 * message that may be on a screen is always withdrawn.
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

/** Records a try. Store the result before the message goes out. */
export function beginTry(delivery: Delivery, step: DeliveryStep, nowMs: number): Delivery {
  const mayBeShown = delivery.mayBeShown || step !== "close";
  return { ...delivery, mayBeShown, tries: delivery.tries + 1, changedAtMs: nowMs };
}

/** Records that the service accepted the message. */
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

/** Skips a message because the person is looking at the page on that device. A skipped `tell` is repeated later. */
export function noteSeen(delivery: Delivery, step: DeliveryStep, nowMs: number): Delivery {
  const { next: _, ...rest } = delivery;
  return { ...rest, changedAtMs: nowMs, ...(step === "tell" && repeatAt(nowMs)) };
}

export function postpone(delivery: Delivery, step: DeliveryStep, atMs: number): Delivery {
  return { ...delivery, next: { step, atMs } };
}

/** Plans another try after the service was unreachable or asked for a later one. Fails after the last try. */
export function noteMissed(
  delivery: Delivery,
  step: DeliveryStep,
  { nowMs, afterMs = 0 }: { readonly nowMs: number; readonly afterMs?: number | undefined },
): Delivery {
  if (delivery.tries >= MAX_TRIES) return noteRefused(delivery, step, nowMs);
  const atMs = nowMs + Math.max(afterMs, backoffAfter(delivery.tries));
  return { ...delivery, next: { step, atMs }, changedAtMs: nowMs };
}

/** Records that the service refused the message. A refused withdrawal closes the delivery too. */
export function noteRefused(delivery: Delivery, step: DeliveryStep, nowMs: number): Delivery {
  const { next: _, ...rest } = delivery;
  return { ...rest, state: step === "close" ? "closed" : "failed", changedAtMs: nowMs };
}

/** Closes a delivery whose subject is no longer pending, or plans its withdrawal if it may be on a screen. */
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
