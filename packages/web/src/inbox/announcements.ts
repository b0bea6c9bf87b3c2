import type { Interaction } from "@holdpoint/protocol";
import { toAskedTitle, toVisibleString } from "@holdpoint/react";

/**
 * What to say aloud when what waits changes: what is new, and what was settled without being on screen. A card that
 * is on screen says its own outcome, so `isShown` ones are left out.
 */
export function toAnnouncements(
  before: readonly Interaction[],
  after: readonly Interaction[],
  isShown: (interactionId: string) => boolean,
): readonly string[] {
  const known = new Set(before.map(({ interactionId }) => interactionId));
  const still = new Set(after.map(({ interactionId }) => interactionId));
  const asked = after.filter(
    ({ interactionId, status }) => status === "pending" && !known.has(interactionId),
  );
  const settled = before.filter(
    ({ interactionId }) => !still.has(interactionId) && !isShown(interactionId),
  );
  return [
    ...asked.map((interaction) => `Waiting for you: ${toVisibleString(toAskedTitle(interaction))}`),
    ...settled.map((interaction) => `Settled: ${toVisibleString(toAskedTitle(interaction))}`),
  ];
}
