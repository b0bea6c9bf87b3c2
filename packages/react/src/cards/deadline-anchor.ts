import type { Interaction } from "@holdpoint/protocol";

import type { UiClock } from "../parts/ui-clock.tsx";

const anchors = new WeakMap<UiClock, Map<string, number>>();
const MAX_ANCHORS = 500;

/**
 * When the deadline is by this device's own clock, in epoch milliseconds; undefined without a deadline.
 *
 * `remainingMs` is right only at the moment it arrives, so the earliest anchor that it ever gave for a deadline is
 * kept: a card that is mounted again later must not start the countdown anew.
 */
export function toLocalDeadline(interaction: Interaction, clock: UiClock): number | undefined {
  const { interactionId, deadlineAt, remainingMs } = interaction;
  if (deadlineAt === undefined) return undefined;
  const known = anchorsOf(clock);
  const key = JSON.stringify([interactionId, deadlineAt]);
  const anchored = known.get(key);
  if (remainingMs === undefined) return anchored ?? Date.parse(deadlineAt);
  const anchor = Math.min(anchored ?? Infinity, clock.now() + remainingMs);
  known.delete(key);
  known.set(key, anchor);
  const [oldest] = known.keys();
  if (known.size > MAX_ANCHORS && oldest !== undefined) known.delete(oldest);
  return anchor;
}

function anchorsOf(clock: UiClock): Map<string, number> {
  let known = anchors.get(clock);
  if (known === undefined) {
    known = new Map();
    anchors.set(clock, known);
  }
  return known;
}
