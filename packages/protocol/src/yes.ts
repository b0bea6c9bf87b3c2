import type { Interaction } from "./interaction.ts";
import type { ResponseAction } from "./response.ts";

/** Whether it lets something happen; a no never does. */
export function isYes(action: ResponseAction): boolean {
  return action === "approve" || action === "submit";
}

/** How many people have to say yes. */
export function needOf({ responders }: Pick<Interaction, "responders">): number {
  return responders?.need ?? 1;
}
