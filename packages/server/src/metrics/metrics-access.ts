/**
 * Who reads the figures. `token`: a person's program, whose token may only read. `loopback`: any program on this machine,
 * without a token, and nobody else; so a proxy there must not pass `/metrics` on. `off`: nobody.
 */
export const METRICS_ACCESSES = ["token", "loopback", "off"] as const;
export type MetricsAccess = (typeof METRICS_ACCESSES)[number];

/** What monitors read under any name: figures only where that takes a token. */
export function probesFor(access: MetricsAccess): readonly string[] {
  const health = ["/healthz", "/readyz"];
  return access === "token" ? [...health, "/metrics"] : health;
}
