/** The label of each agent that is started elsewhere: no list has it. */
const LABELS: Readonly<Record<string, string>> = {
  mcp: "Program",
  terminal: "Claude Code (terminal)",
  "terminal-codex": "Codex (terminal)",
};

/** What a session's agent is called that is in no list; its own word where nothing is known of it. */
export function labelOfElsewhere(agent: string): string {
  return Object.hasOwn(LABELS, agent) ? (LABELS[agent] ?? agent) : agent;
}
