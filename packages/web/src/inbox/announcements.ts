import { countAnswerable, type Overview } from "@holdpoint/client";
import { toPlainTitle, type Interaction } from "@holdpoint/protocol";
import { toAskedTitle, toVisibleString } from "@holdpoint/react";

import type { Say } from "../words/use-words.ts";

export interface AnnouncedOverview extends Pick<Overview, "waiting" | "counts" | "loads"> {
  /** The ids of interactions for other people to answer. */
  readonly others?: ReadonlySet<string>;
}

/**
 * The announcements for a change of the open interactions: new ones for the person to answer, and settled ones that
 * were not on screen (`isShown`: a card on screen announces its own outcome). Rows that were only loaded are not new;
 * for them, the counts decide whether there are more.
 */
export function toAnnouncements(
  before: AnnouncedOverview,
  after: AnnouncedOverview,
  isShown: (interactionId: string) => boolean,
  say: Say,
): readonly string[] {
  if (before.loads !== after.loads) {
    const count = countAnswerable(after.counts);
    return count > countAnswerable(before.counts)
      ? [say("Waiting for you: {n} in total", { n: count })]
      : [];
  }
  const known = new Set(before.waiting.map(({ interactionId }) => interactionId));
  const still = new Set(after.waiting.map(({ interactionId }) => interactionId));
  const asked = after.waiting.filter(
    ({ interactionId, status }) =>
      status === "pending" && !known.has(interactionId) && !after.others?.has(interactionId),
  );
  const settled = before.waiting.filter(
    ({ interactionId }) => !still.has(interactionId) && !isShown(interactionId),
  );
  return [
    ...asked.map((one) => say("Waiting for you: {what}", { what: toSpoken(one, say) })),
    ...settled.map((one) => say("Settled: {what}", { what: toSpoken(one, say) })),
  ];
}

function toSpoken(interaction: Interaction, { language }: Say): string {
  return toVisibleString(toPlainTitle(toAskedTitle(interaction, language)));
}
