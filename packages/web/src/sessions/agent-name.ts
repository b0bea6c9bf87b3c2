import type { AgentInfo } from "@holdpoint/protocol";

import { externalAgentLabel } from "../external-agents.ts";
import type { Say } from "../words/use-words.ts";

/** An agent's display name. Marks a scripted agent, unless its label already does. */
export function toAgentName(
  { label, scripted }: Pick<AgentInfo, "label" | "scripted">,
  say: Say,
): string {
  return scripted && !label.includes("scripted")
    ? say("{agent} (scripted, no model)", { agent: label })
    : say.translate(label);
}

/** The display name of a session's agent, including agents started elsewhere. */
export function toSessionAgentName(agent: string, known: AgentInfo | undefined, say: Say): string {
  return known ? toAgentName(known, say) : say.translate(externalAgentLabel(agent));
}

/** Why an agent cannot be started. */
export function toUnavailable(
  { unavailableReason, said }: Pick<AgentInfo, "said" | "unavailableReason">,
  say: Say,
): string {
  return unavailableReason === undefined
    ? say("the gateway gives no reason")
    : say.told(unavailableReason, said?.["unavailableReason"]);
}
