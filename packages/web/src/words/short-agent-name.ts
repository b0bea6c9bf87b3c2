/** An agent's name without the part in brackets. */
export function toShortAgentName(name: string): string {
  return name.replace(/ \(.*\)$/u, "");
}
