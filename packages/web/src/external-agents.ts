/** The labels of agents started elsewhere, which are not in the gateway's list. */
const LABELS: Readonly<Record<string, string>> = {
  mcp: "Program",
  terminal: "Claude Code (terminal)",
  "terminal-codex": "Codex (terminal)",
};

/** The label of a session's agent that is not in the list; the agent's id if it is unknown. */
export function externalAgentLabel(agent: string): string {
  return Object.hasOwn(LABELS, agent) ? (LABELS[agent] ?? agent) : agent;
}
