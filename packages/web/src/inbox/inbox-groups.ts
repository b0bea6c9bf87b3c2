import type { Overview } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";

export interface InboxGroups {
  /** Pending: an agent holds for them, or went on and gets the answer as a message. */
  readonly waiting: readonly Interaction[];
  /** Past their time or their agent; an answer still reaches the agent as a message. */
  readonly late: readonly Interaction[];
}

/** What can be answered over all sessions, split by whether it was missed; each oldest first. */
export function groupInbox({ waiting }: Pick<Overview, "waiting">): InboxGroups {
  return {
    waiting: waiting.filter(({ status }) => status === "pending"),
    late: waiting.filter(({ status }) => status !== "pending"),
  };
}
