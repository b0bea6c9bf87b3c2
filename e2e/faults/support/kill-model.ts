import { type Interaction, isParked } from "@holdpoint/protocol";

/** What died of a session's gateway, host and agent. */
export interface Deaths {
  readonly gateway: boolean;
  readonly host: boolean;
  readonly agent: boolean;
}

/** Where a request is that nobody has answered. */
export type Place = "held" | "parked" | "orphaned";

/**
 * Where the request of an agent may be that waited for it and for nothing else, once a gateway runs again. An agent that
 * lives holds it, or is parked when nobody comes. One that died can be started again where its own record has the call.
 */
export function placesAfter(
  { host, agent }: Deaths,
  { isRecorded }: { readonly isRecorded: boolean },
): readonly Place[] {
  if (!host && !agent) return ["held", "parked"];
  return isRecorded ? ["parked"] : ["parked", "orphaned"];
}

/** `undefined`: it is not open any more. */
export function placeOf(interaction: Interaction): Place | undefined {
  if (interaction.status === "orphaned") return "orphaned";
  if (interaction.status !== "pending") return undefined;
  return isParked(interaction) ? "parked" : "held";
}

/** How a response may have been delivered that was given while these died. */
export function deliveriesAfter({ host, agent }: Deaths): readonly string[] {
  // An agent that lives takes it, from this gateway or from the next one.
  if (!host && !agent) return ["resumed"];
  return ["resumed", "user_message", "unknown"];
}
