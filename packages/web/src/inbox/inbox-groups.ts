import type { Interaction } from "@holdpoint/protocol";

export interface InboxGroups {
  /** Pending, oldest first. */
  readonly waiting: readonly Interaction[];
  /** Past its time or its agent, and an answer still reaches the agent as a message; oldest first. */
  readonly late: readonly Interaction[];
}

/** What waits over all sessions, split by whether an agent is still holding for it. */
export function groupInbox(interactions: Iterable<Interaction>): InboxGroups {
  const waiting: Interaction[] = [];
  const late: Interaction[] = [];
  for (const interaction of interactions) {
    if (interaction.status === "pending") waiting.push(interaction);
    else if (takesLateAnswer(interaction)) late.push(interaction);
  }
  return { waiting: waiting.toSorted(byStart), late: late.toSorted(byStart) };
}

function takesLateAnswer({ status, onTimeout }: Interaction): boolean {
  return status === "orphaned" || (status === "expired" && onTimeout === "wait");
}

function byStart(a: Interaction, b: Interaction): number {
  return a.startedAt.localeCompare(b.startedAt) || a.interactionId.localeCompare(b.interactionId);
}
