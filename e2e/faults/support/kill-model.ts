import { type Interaction, isParked } from "@holdpoint/protocol";

/** Which of a session's gateway, host and agent died. */
export interface Deaths {
  readonly gateway: boolean;
  readonly host: boolean;
  readonly agent: boolean;
}

/** The state of an unanswered request. */
export type Place = "held" | "parked" | "orphaned";

/**
 * The possible places of a request that its agent was waiting for exclusively, once a gateway runs again. A living
 * agent holds it, or is parked when no one connects. A dead agent can be started again if its own record has the
 * call.
 */
export function placesAfter(
  { host, agent }: Deaths,
  { isRecorded }: { readonly isRecorded: boolean },
): readonly Place[] {
  if (!host && !agent) return ["held", "parked"];
  return isRecorded ? ["parked"] : ["parked", "orphaned"];
}

/** Returns `undefined` when it is no longer open. */
export function placeOf(interaction: Interaction): Place | undefined {
  if (interaction.status === "orphaned") return "orphaned";
  if (interaction.status !== "pending") return undefined;
  return isParked(interaction) ? "parked" : "held";
}

/** The ways in which a response given during these deaths may have been delivered. */
export function deliveriesAfter({ host, agent }: Deaths): readonly string[] {
  // A living agent receives it from this gateway or the next one.
  if (!host && !agent) return ["resumed"];
  return ["resumed", "user_message", "unknown"];
}
