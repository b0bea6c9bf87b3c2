/**
 * The environment that an agent may see: everything except the gateway's own `HOLDPOINT_*` variables, which hold
 * a person's credentials. Names are compared without case, as Windows does.
 */
export function agentEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !name.toUpperCase().startsWith("HOLDPOINT_")) kept[name] = value;
  }
  return kept;
}
