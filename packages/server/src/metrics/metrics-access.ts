/**
 * Who can read the metrics. `token`: programs with a person's read-only token. `loopback`: any program on this machine,
 * without a token, so a proxy there must not forward `/metrics`. `off`: no one.
 */
export const METRICS_ACCESSES = ["token", "loopback", "off"] as const;
export type MetricsAccess = (typeof METRICS_ACCESSES)[number];

/** The paths that monitors may read under any host name. Includes `/metrics` only if that requires a token. */
export function probesFor(access: MetricsAccess): readonly string[] {
  const health = ["/healthz", "/readyz"];
  return access === "token" ? [...health, "/metrics"] : health;
}
