import type { IncomingMessage } from "node:http";

import { ProtocolError } from "@holdpoint/protocol";

import type { AllowedHosts } from "./allowed-hosts.ts";

/**
 * What is wrong with where a request comes from or goes to; checked before routing, for static files and streams too.
 * A foreign `Host` is DNS rebinding, a foreign `Origin` is another site's page.
 */
export function refuseForeign(
  incoming: IncomingMessage,
  { hosts, origins }: AllowedHosts,
): ProtocolError | undefined {
  const { host, origin } = incoming.headers;
  const hostCount = incoming.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === "host",
  ).length;
  // An absolute-form target names a second host, which routers prefer to the header.
  if (!incoming.url?.startsWith("/") || hostCount !== 1 || !host || !hosts.has(host.toLowerCase()))
    return new ProtocolError("MISDIRECTED", "This gateway is not reached under that host.");
  if (origin !== undefined && !origins.has(origin))
    return new ProtocolError("FORBIDDEN", "Requests of other origins are refused.");
  const site = incoming.headers["sec-fetch-site"];
  if (isApiPath(incoming.url) && (site === "cross-site" || site === "same-site"))
    return new ProtocolError("FORBIDDEN", "Requests of other sites are refused.");
  return undefined;
}

/** True for a request target under `/api`, or for that of MCP clients. */
export function isApiPath(target: string): boolean {
  return /^\/(?:api|mcp)(?:[/?]|$)/.test(target);
}
