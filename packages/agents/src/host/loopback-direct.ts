type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = ["127.0.0.1", "localhost", "::1", "[::1]"];
/** Programs read one or the other. */
const NAMES = ["NO_PROXY", "no_proxy"] as const;

/**
 * Proxy exceptions that make programs reach this machine directly, whatever proxy the environment or their own settings
 * name: a proxy elsewhere would get an agent's credential for the gateway. Existing exceptions are kept.
 */
export function loopbackDirect(environment: Environment): Record<(typeof NAMES)[number], string> {
  const said = NAMES.map((name) => environment[name]?.trim() ?? "");
  const either = said.find((value) => value !== "") ?? "";
  const [upper = "", lower = ""] = said.map((value) => withLoopback(value === "" ? either : value));
  return { NO_PROXY: upper, no_proxy: lower };
}

function withLoopback(hosts: string): string {
  // A star is only valid on its own.
  if (hosts === "*") return hosts;
  const named = hosts.split(/[\s,]+/u).filter(Boolean);
  return [...named, ...LOOPBACK.filter((host) => !named.includes(host))].join(",");
}
