import {
  isAnswerable,
  MAX_SNOOZE_MS,
  MAX_SNOOZES,
  type Caller,
  type Interaction,
  type Snooze,
  personKeyOf,
  refusal,
  saying,
  sightOf,
} from "@holdpoint/protocol";

import { invalidRequest, notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import { seesInteraction } from "../lib/seen-rows.ts";
import type { Clock } from "../ports/clock.ts";
import type { NotificationsPort } from "../ports/notifications.ts";
import type { Store } from "../ports/store.ts";

/**
 * A snoozed interaction returns this long before its deadline, or when half of its time is left, whichever is later.
 */
const BACK_BEFORE_DEADLINE_MS = 2 * 60 * 1000;

export interface SnoozeParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly overview: { snoozesChanged(): void };
  readonly notifications: NotificationsPort;
}

/** The person's snoozes of interactions that can still be answered, earliest end first. */
export async function listSnoozes(
  parts: Pick<SnoozeParts, "clock" | "store">,
  caller: Caller,
): Promise<Snooze[]> {
  const { store, clock } = parts;
  const sight = sightOf(caller);
  const nowMs = clock.now();
  const snoozes = (await store.listSnoozes(personKeyOf(caller))).filter(
    ({ untilMs }) => untilMs > nowMs,
  );
  const found = await Promise.all(
    snoozes.map(async ({ interactionId, untilMs }) => {
      const stored = await store.getInteraction(interactionId);
      const isOpen = stored && isAnswerable(stored.interaction) && !stored.leftOverview;
      return isOpen && (await seesInteraction(store, stored, sight))
        ? [{ interactionId, until: toInstant(untilMs) }]
        : [];
    }),
  );
  return found.flat();
}

/**
 * Snoozes an interaction for this person on all devices, or changes an existing snooze. It ends before the deadline, so
 * that there is time to answer. The agent keeps waiting.
 */
export async function snooze(
  parts: SnoozeParts,
  caller: Caller,
  interactionId: string,
  until: string,
): Promise<Snooze> {
  const { store, clock, overview, notifications } = parts;
  const stored = await store.getInteraction(interactionId);
  if (!stored) throw notFound("interaction");
  if (!isAnswerable(stored.interaction)) {
    throw refusal("INVALID_REQUEST", saying("is_over"));
  }
  const nowMs = clock.now();
  const wantedMs = Date.parse(until);
  if (wantedMs <= nowMs || wantedMs > nowMs + MAX_SNOOZE_MS) {
    throw invalidRequest("until", saying("snooze_too_long"));
  }
  const person = personKeyOf(caller);
  const own = await store.listSnoozes(person);
  const isNew = own.every((other) => other.interactionId !== interactionId);
  if (isNew && own.filter(({ untilMs }) => untilMs > nowMs).length >= MAX_SNOOZES) {
    throw refusal("INVALID_REQUEST", saying("snoozes_full"));
  }
  const untilMs = Math.min(wantedMs, backAtMs(stored.interaction, nowMs));
  const snoozed = { person, interactionId, untilMs };
  if (!(await store.putSnooze(snoozed, nowMs))) throw notFound("interaction");
  overview.snoozesChanged();
  notifications.snoozed(snoozed);
  return { interactionId, until: toInstant(untilMs) };
}

/** Ends a snooze. Does nothing when the interaction is not snoozed. */
export async function endSnooze(
  { store, overview }: SnoozeParts,
  caller: Caller,
  interactionId: string,
): Promise<void> {
  if (await store.removeSnooze(personKeyOf(caller), interactionId)) overview.snoozesChanged();
  else if (!(await store.getInteraction(interactionId))) throw notFound("interaction");
}

function backAtMs({ status, deadlineAt }: Interaction, nowMs: number): number {
  if (status !== "pending" || deadlineAt === undefined) return Infinity;
  const deadlineMs = Date.parse(deadlineAt);
  return deadlineMs - Math.min(BACK_BEFORE_DEADLINE_MS, Math.max(deadlineMs - nowMs, 0) / 2);
}
