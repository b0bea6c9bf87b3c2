import { type Clock, EarliestTimer, type Ids } from "@holdpoint/engine";

import type { Message } from "../message.ts";
import type { Delivery, DeliveryStep, NotificationStore } from "../ports/notification-store.ts";
import {
  beginTry,
  noteMissed,
  noteRefused,
  noteSeen,
  noteSent,
  postpone,
  queueDelivery,
  REPEAT_AFTER_MS,
  settleDelivery,
} from "./delivery-life.ts";
import type { Asked } from "./follow-pending.ts";
import { isForAll } from "./recipients.ts";
import { isWanted, mayRing, newState, nextOf, recount, type TargetState } from "./target-state.ts";
import type { SendResult, Target } from "./target.ts";

/** The most notifications per target. One further notification shows the number of the remaining requests. */
const MAX_SHOWN = 5;
/** Long enough for a grant to answer the requests it covers, and for a burst of requests to be counted as one. */
const TELL_AFTER_MS = 250;
const MORE_AFTER_MS = 2000;
const MINUTE_MS = 60_000;
/** The minimum time between two updates of the summary notification. */
const MORE_EVERY_MS = MINUTE_MS;
const FORGET_EVERY_MS = 60 * MINUTE_MS;
const KEEP_CLOSED_MS = 24 * 60 * 60 * 1000;

/** The subject of a notification: one interaction, or the number of interactions without a separate notification. */
export type Subject =
  | { readonly interactionId: string }
  | { readonly interactionId?: never; readonly count: number };

export interface DeliveriesOptions {
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The interactions that are pending now, by id. */
  readonly pending: ReadonlyMap<string, Asked>;
  /** Renders a message. Resolves to `undefined` if its subject is no longer pending. */
  readonly toMessage: (step: DeliveryStep, subject: Subject) => Promise<Message | undefined>;
  /** Called with the result of each message, and awaited. `gone`: the target will never accept a message again. */
  readonly onResult: (targetId: string, result: SendResult) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Notifies each target of the pending requests it wants, and withdraws a notification when its request is no longer
 * pending. Each step is stored before it is carried out, and each target gets one message at a time.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #targets = new Map<string, TargetState>();
  readonly #ended = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #timer: EarliestTimer;
  #forgotAtMs = -Infinity;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#timer = new EarliestTimer(options.clock, () => this.#arm());
  }

  /** Loads the stored deliveries. Call it once, with all targets. */
  async open(targets: readonly Target[]): Promise<void> {
    const { store } = this.#options;
    await this.#forgetOld();
    for (const target of targets) this.#targets.set(target.targetId, newState(target));
    for (const row of await store.listDeliveries()) {
      const state = this.#targets.get(row.targetId);
      if (state) state.rows.set(row.interactionId, row);
      else await store.removeDeliveries(row.targetId);
    }
  }

  /** Adds a target, or replaces a known one. */
  setTarget(target: Target): void {
    const known = this.#targets.get(target.targetId);
    if (known) known.target = target;
    const state = known ?? newState(target);
    this.#targets.set(target.targetId, state);
    recount(state, this.#options.pending.values());
    this.#planMore(state);
    this.#arm();
  }

  /** Stops sending to a target. The store removes the deliveries together with the subscription. */
  removeTarget(targetId: string): void {
    this.#targets.delete(targetId);
  }

  get isEmpty(): boolean {
    return this.#targets.size === 0;
  }

  /** Plans notifications for a pending interaction. Skips targets that already have one. */
  asked(asked: Asked): void {
    for (const state of this.#targets.values()) {
      if (isWanted(state, asked) && !state.rows.has(asked.interactionId)) this.#plan(state, asked);
    }
    this.#arm();
  }

  /** Withdraws the notifications of an interaction that is no longer pending. */
  settled(asked: Asked): void {
    for (const state of this.#targets.values()) {
      const row = state.rows.get(asked.interactionId);
      if (row) this.#settle(state, row);
      else if (!isForAll(asked)) {
        // The people who may answer it may have changed since it was counted.
        recount(state, this.#options.pending.values());
        this.#planMore(state);
      } else if (isWanted(state, asked)) {
        state.further -= 1;
        this.#planMore(state);
      }
    }
    this.#arm();
  }

  /** Adds and withdraws notifications after a change of the people who may answer the interaction. */
  changed(asked: Asked): void {
    for (const state of this.#targets.values()) {
      const row = state.rows.get(asked.interactionId);
      const isFor = isWanted(state, asked);
      if (isFor) this.#tellStill(state, asked);
      else if (row) this.#settle(state, row);
      recount(state, this.#options.pending.values());
      this.#planMore(state);
    }
    this.#arm();
  }

  /** Repeats the notification on targets that already got it and match `isFor`, except where it is snoozed. */
  remind({ interactionId }: Asked, isFor: (targetId: string) => boolean = () => true): void {
    const nowMs = this.#options.clock.now();
    for (const [targetId, state] of this.#targets) {
      const row = state.rows.get(interactionId);
      if (!row?.mayBeShown || row.next?.step === "close" || !isFor(targetId)) continue;
      const isPutOff = row.next !== undefined && row.next.atMs > nowMs + REPEAT_AFTER_MS;
      if (
        isPutOff ||
        state.sending === row.deliveryId ||
        !mayRing(state, this.#options.clock.now())
      ) {
        continue;
      }
      this.#write(state, postpone(row, againOf(row), nowMs));
    }
    this.#arm();
  }

  /** Delays the target's notification until `untilMs`. Does nothing if the interaction is only part of the summary. */
  putOff(targetId: string, interactionId: string, untilMs: number): void {
    const state = this.#targets.get(targetId);
    const row = state?.rows.get(interactionId);
    if (!state || !row || row.next?.step === "close") return;
    this.#write(state, postpone(row, againOf(row), untilMs));
    this.#arm();
  }

  /** Withdraws the notifications of all interactions that are not in `pending`, which must be complete. */
  reconcile(): void {
    for (const state of this.#targets.values()) {
      for (const [interactionId, row] of state.rows) {
        if (interactionId !== undefined && !this.#options.pending.has(interactionId)) {
          this.#settle(state, row);
        }
      }
      recount(state, this.#options.pending.values());
      this.#planMore(state);
    }
    this.#arm();
  }

  /** Aborts running sends. Undelivered messages stay in the store. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    this.#timer[Symbol.dispose]();
    await Promise.all(this.#running);
  }

  #plan(state: TargetState, { interactionId }: Asked): void {
    const own = state.rows.size - (state.rows.has(undefined) ? 1 : 0);
    if (own >= MAX_SHOWN || !mayRing(state, this.#options.clock.now())) {
      state.further += 1;
      return this.#planMore(state);
    }
    const atMs = this.#options.clock.now() + TELL_AFTER_MS;
    this.#write(state, this.#newRow(state, interactionId, atMs));
  }

  /** Notifies a target that may answer the interaction, or replaces a planned withdrawal with a later repeat. */
  #tellStill(state: TargetState, asked: Asked): void {
    const row = state.rows.get(asked.interactionId);
    if (!row) return this.#plan(state, asked);
    // A withdrawal in flight finishes first; then `#catchUp` continues.
    if (row.next?.step !== "close" || state.sending === row.deliveryId) return;
    const atMs = this.#options.clock.now() + REPEAT_AFTER_MS;
    this.#write(state, postpone(row, "repeat", atMs));
  }

  /** Creates, updates or withdraws the summary notification, which shows the number of further interactions. */
  #planMore(state: TargetState): void {
    const row = state.rows.get(undefined);
    const nowMs = this.#options.clock.now();
    const atMs = Math.max(nowMs + MORE_AFTER_MS, state.moreToldAtMs + MORE_EVERY_MS);
    if (state.further <= 0) {
      if (row) this.#settle(state, row);
    } else if (!row) {
      this.#write(state, this.#newRow(state, undefined, atMs));
    } else if (row.next === undefined || row.next.step === "close") {
      this.#write(state, postpone(row, "tell", atMs));
    }
  }

  #newRow(
    { target: { targetId } }: TargetState,
    interactionId: string | undefined,
    atMs: number,
  ): Delivery {
    const { clock, ids } = this.#options;
    const nowMs = clock.now();
    const deliveryId = ids.next("dlv");
    return queueDelivery({ deliveryId, targetId, interactionId }, { atMs, nowMs });
  }

  /** Settles a delivery. If its message is in flight, `#catchUp` settles it afterwards. */
  #settle(state: TargetState, row: Delivery): void {
    if (state.sending === row.deliveryId) return;
    this.#write(state, settleDelivery(row, this.#options.clock.now()));
  }

  /** Stores a row in the background. `#try` does not use this: it waits for its row before it sends the message. */
  #write(state: TargetState, row: Delivery): void {
    this.#track(this.#keep(state, row).catch(this.#options.onError));
  }

  #keep({ rows }: TargetState, row: Delivery): Promise<void> {
    if (row.state === "closed") rows.delete(row.interactionId);
    else rows.set(row.interactionId, row);
    const { store, clock, onError } = this.#options;
    if (clock.now() >= this.#forgotAtMs + FORGET_EVERY_MS) {
      this.#track(this.#forgetOld().catch(onError));
    }
    return store.putDeliveries([row]);
  }

  async #forgetOld(): Promise<void> {
    const nowMs = this.#options.clock.now();
    this.#forgotAtMs = nowMs;
    await this.#options.store.forgetClosed(nowMs - KEEP_CLOSED_MS);
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  /** Starts all due deliveries, and sets the timer for the next one. */
  #arm(): void {
    if (this.#ended.signal.aborted) return;
    const nowMs = this.#options.clock.now();
    let earliestMs = Infinity;
    for (const state of this.#targets.values()) {
      if (state.sending !== undefined) continue;
      const row = nextOf(state, this.#options.pending, nowMs);
      if (row?.next === undefined) continue;
      if (row.next.atMs > nowMs) earliestMs = Math.min(earliestMs, row.next.atMs);
      else this.#track(this.#deliver(state, row, row.next.step));
    }
    this.#timer.set(earliestMs);
  }

  async #deliver(state: TargetState, row: Delivery, step: DeliveryStep): Promise<void> {
    state.sending = row.deliveryId;
    try {
      await this.#try(state, row, step);
    } catch (error: unknown) {
      this.#options.onError(error);
      const { clock } = this.#options;
      state.rows.set(row.interactionId, noteMissed(row, step, { nowMs: clock.now() }));
    } finally {
      state.sending = undefined;
      this.#catchUp(state, row.interactionId, step);
      this.#arm();
    }
  }

  /** Handles changes during a send: the interaction may be settled now, or its responders may have changed. */
  #catchUp(state: TargetState, interactionId: string | undefined, step: DeliveryStep): void {
    if (this.#ended.signal.aborted) return;
    if (interactionId === undefined) return this.#planMore(state);
    const row = state.rows.get(interactionId);
    const asked = this.#options.pending.get(interactionId);
    if (asked && isWanted(state, asked)) {
      if (step === "close") this.#tellStill(state, asked);
    } else if (row) this.#settle(state, row);
  }

  async #try(state: TargetState, row: Delivery, step: DeliveryStep): Promise<void> {
    const { clock, onResult, toMessage } = this.#options;
    const { target } = state;
    const nowMs = clock.now();
    const held = step === "close" ? undefined : this.#holdBack(state, row, step);
    if (held) return this.#keep(state, held);
    const subject =
      row.interactionId === undefined
        ? { count: state.further }
        : { interactionId: row.interactionId };
    const message = await toMessage(step, subject);
    // No longer pending: `settled` is about to be called.
    if (!message) return this.#keep(state, noteSeen(row, "repeat", nowMs));
    const trying = beginTry(row, step, nowMs);
    await this.#keep(state, trying);
    const messageId = `${row.deliveryId}.${step}`;
    const result = await target.send(message, { messageId, signal: this.#ended.signal });
    if (row.interactionId === undefined) state.moreToldAtMs = clock.now();
    // The target may have been removed during the send.
    if (this.#targets.get(target.targetId) === state) {
      await this.#keep(state, this.#outcome(state, trying, step, result));
    }
    await onResult(target.targetId, result);
  }

  /** Returns the new row if its message must not be sent now, otherwise `undefined`. */
  #holdBack({ target }: TargetState, row: Delivery, step: DeliveryStep): Delivery | undefined {
    const nowMs = this.#options.clock.now();
    const asked = row.interactionId && this.#options.pending.get(row.interactionId);
    const isWantedStill =
      !asked || (target.wants(asked.kind) && (target.mayAnswer?.(asked) ?? true));
    if (!isWantedStill) return settleDelivery(row, nowMs);
    const quietUntilMs = target.quietUntil(nowMs);
    if (quietUntilMs !== undefined) return postpone(row, step, quietUntilMs);
    return target.isLooking() ? noteSeen(row, step, nowMs) : undefined;
  }

  #outcome(
    { target }: TargetState,
    row: Delivery,
    step: DeliveryStep,
    result: SendResult,
  ): Delivery {
    const nowMs = this.#options.clock.now();
    switch (result.kind) {
      case "sent":
        return noteSent(row, step, {
          nowMs,
          repeats: target.repeats && row.interactionId !== undefined,
        });
      case "missed":
        return noteMissed(row, step, { nowMs, afterMs: result.afterMs });
      case "gone":
      case "refused":
        return noteRefused(row, step, nowMs);
    }
  }
}

/** Returns `tell` for a notification that has not reached its target yet, otherwise `repeat`. */
function againOf({ state }: Delivery): DeliveryStep {
  return state === "queued" ? "tell" : "repeat";
}
