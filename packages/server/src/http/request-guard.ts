import type { IncomingMessage } from "node:http";

import { ProtocolError } from "@holdpoint/protocol";
import { tryDecodeURI } from "hono/utils/url";

import type { AllowedHosts } from "./allowed-hosts.ts";
import { note } from "./request-log.ts";

/** The longest valid host name. */
const MAX_HOST_LENGTH = 255;
/**
 * The values browsers send for the gateway's own pages and for navigation by the person. Programs do not send the
 * header.
 */
const OWN_SITES: ReadonlySet<unknown> = new Set(["none", "same-origin"]);

/**
 * Returns the reason to refuse a request because of its host or origin. It is checked before routing, also for static
 * files and streams. A foreign `Host` indicates DNS rebinding, a foreign `Origin` another site's page. Embedding
 * origins may use the API only.
 */
export function refuseForeign(
  incoming: IncomingMessage,
  allowed: AllowedHosts,
): ProtocolError | undefined {
  if (!isNamed(incoming, allowed)) return misdirected(incoming);
  if (hasUnknownEncoding(incoming)) {
    return new ProtocolError("BAD_REQUEST", "The only transfer encoding is `chunked`.");
  }
  if (embeddingOrigin(incoming, allowed) !== undefined) return undefined;
  const { origin, "sec-fetch-site": site } = incoming.headers;
  if (origin !== undefined && !allowed.origins.has(origin)) {
    return new ProtocolError(
      "FORBIDDEN",
      "Requests of other origins are refused, unless the gateway's embedOrigins names them.",
    );
  }
  if (site !== undefined && !OWN_SITES.has(site) && isApiPath(incoming.url ?? "")) {
    return new ProtocolError("FORBIDDEN", "Requests of other sites are refused.");
  }
  return undefined;
}

/** Node refuses an unknown transfer encoding only after it has handed the request on. */
function hasUnknownEncoding({ headers }: IncomingMessage): boolean {
  const { "transfer-encoding": encoding } = headers;
  return encoding !== undefined && encoding.toLowerCase() !== "chunked";
}

/** True for a monitor's request, which may use any host name, or none. */
export function isProbe({ method, url = "" }: IncomingMessage, { probes }: AllowedHosts): boolean {
  return method === "GET" && probes.has(url);
}

/** True for a request with exactly one host that is the gateway's. */
function isNamed(incoming: IncomingMessage, allowed: AllowedHosts): boolean {
  const { url, headers, rawHeaders } = incoming;
  const hostCount = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === "host",
  ).length;
  // An absolute-form target contains a second host, which routers prefer over the header.
  const isPath = url?.startsWith("/") === true;
  if (!isPath || hostCount > 1) return false;
  return isProbe(incoming, allowed) || allowed.hosts.has(headers.host?.toLowerCase() ?? "");
}

function misdirected(incoming: IncomingMessage): ProtocolError {
  const host = (incoming.headers.host ?? "").slice(0, MAX_HOST_LENGTH);
  note(incoming, { host });
  return new ProtocolError(
    "MISDIRECTED",
    `This gateway is not reached as "${host}". Open it at its own address, or start it with that one as its public URL ` +
      "(`publicUrl` in your config file, or --public-url).",
  );
}

/** The request's origin if it is an embedding one and the target is in the API. */
export function embeddingOrigin(
  { headers: { origin }, url = "" }: IncomingMessage,
  { origins, embedOrigins }: AllowedHosts,
): string | undefined {
  if (origin === undefined || origins.has(origin) || !embedOrigins.has(origin)) return undefined;
  return /^\/api(?:\/|$)/.test(pathOf(url)) ? origin : undefined;
}

/** True for targets that the router resolves to `/api` or `/mcp`, however they are encoded. */
export function isApiPath(target: string): boolean {
  return /^\/(?:api|mcp)(?:\/|$)/.test(pathOf(target));
}

/** The path as the router decodes it; `/api` for an invalid target. */
function pathOf(target: string): string {
  const { pathname = "/api" } = URL.parse(target, "http://host") ?? {};
  return tryDecodeURI(pathname);
}
