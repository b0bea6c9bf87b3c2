import type { Interaction } from "./interaction.ts";
import type { ResponseAction } from "./response.ts";

/** Whether the action lets something happen. A denial never does. */
export function isYes(action: ResponseAction): boolean {
  return action === "approve" || action === "submit";
}

/** Returns how many people must approve. */
export function needOf({ responders }: Pick<Interaction, "responders">): number {
  return responders?.need ?? 1;
}
