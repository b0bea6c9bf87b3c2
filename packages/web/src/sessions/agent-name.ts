import type { AgentInfo } from "@holdpoint/protocol";

/** An agent's name for people; says of a scripted agent that it is one, unless its label does. */
export function toAgentName({ label, scripted }: Pick<AgentInfo, "label" | "scripted">): string {
  return scripted && !label.includes("scripted") ? `${label} (scripted, no model)` : label;
}
