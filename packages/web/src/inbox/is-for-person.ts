import { type Interaction, isAskedOf, type Person } from "@holdpoint/protocol";

/** Whether the person of this page may answer it now, and has not. Without one it is the gateway's owner. */
export function isForPerson(
  interaction: Interaction,
  person: Person | undefined,
  nowMs: number,
): boolean {
  return isAskedOf(interaction, person ?? {}, new Date(nowMs).toISOString());
}
