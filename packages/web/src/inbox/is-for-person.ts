import { type Interaction, isAskedOf, type Person } from "@holdpoint/protocol";

/** Whether this page's person can answer it now, and has not yet. Without a person, it is the gateway's owner. */
export function isForPerson(
  interaction: Interaction,
  person: Person | undefined,
  nowMs: number,
): boolean {
  return isAskedOf(interaction, person ?? {}, new Date(nowMs).toISOString());
}
