/** An agent's name without the part in brackets. */
export function toShortAgentName(name: string): string {
  const start = name.indexOf(" (");
  return start >= 0 && name.endsWith(")") ? name.slice(0, start) : name;
}
