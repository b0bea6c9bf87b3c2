const PREFIX = "HOLDPOINT_";
/** Names of variables, without the prefix. */
export const VARIABLE_NAMES = [
  "AGENT",
  "AGENT_TOKEN",
  "CLUSTER_SECRET",
  "CLUSTER_SECRET_FILE",
  "CONFIG",
  "CWD",
  "DATA_DIR",
  "EMBED_ORIGINS",
  "HOLD_TIMEOUT_MS",
  "HOST",
  "ISOLATE",
  "JSON",
  "LOG",
  "LOG_FORMAT",
  "MAX_IDLE_AGENTS",
  "NODE_ADDRESS",
  "OPEN",
  "OTLP",
  "PORT",
  "PUBLIC_URL",
  "STORE",
  "TLS_CERT",
  "TLS_KEY",
  "TOKEN",
  "TOKEN_FILE",
  "TRUST_PROXY",
  "URL",
] as const;

export type Environment = Readonly<Record<string, string | undefined>>;
export type Variables = Readonly<Partial<Record<(typeof VARIABLE_NAMES)[number], string>>>;

/** The `HOLDPOINT_*` variables, without the prefix. Empty ones count as unset, as in most programs. */
export function readVariables(env: Environment): Variables {
  const said = VARIABLE_NAMES.map((name) => [name, env[`${PREFIX}${name}`]] as const);
  return Object.fromEntries(said.filter(([, text]) => text !== undefined && text !== ""));
}

/** Variables with the gateway's prefix that it does not know. */
export function unknownVariables(env: Environment): string[] {
  const known = new Set<string>(VARIABLE_NAMES.map((name) => `${PREFIX}${name}`));
  return Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.has(name));
}
