/** The name without what is said about the agent in brackets. */
export function toShortAgentName(name: string): string {
  return name.replace(/ \(.*\)$/u, "");
}
