import type { IncomingMessage } from "node:http";

import { ProtocolError } from "@holdpoint/protocol";
import { tryDecodeURI } from "hono/utils/url";

import type { AllowedHosts } from "./allowed-hosts.ts";
import { note } from "./request-log.ts";

/** The longest name that a host can have. */
const MAX_HOST_LENGTH = 255;
/** How browsers mark requests of the gateway's own pages and of the person. Programs send no such header. */
const OWN_SITES: ReadonlySet<unknown> = new Set(["none", "same-origin"]);

/**
 * What is wrong with where a request comes from or goes to; checked before routing, for static files and streams too.
 * A foreign `Host` is DNS rebinding, a foreign `Origin` is another site's page. Pages of embedding origins may use the
 * API, and nothing else.
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

/** Node refuses a body in an unknown encoding only after the request has been handed on. */
function hasUnknownEncoding({ headers }: IncomingMessage): boolean {
  const { "transfer-encoding": encoding } = headers;
  return encoding !== undefined && encoding.toLowerCase() !== "chunked";
}

/** A monitor's request. It may know the gateway under any name, or under none. */
export function isProbe({ method, url = "" }: IncomingMessage, { probes }: AllowedHosts): boolean {
  return method === "GET" && probes.has(url);
}

/** True for a request that names one host, which is the gateway's. */
function isNamed(incoming: IncomingMessage, allowed: AllowedHosts): boolean {
  const { url, headers, rawHeaders } = incoming;
  const hostCount = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === "host",
  ).length;
  // An absolute-form target names a second host, which routers prefer to the header.
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

/** The origin of a page that embeds parts of the gateway, when it asks for what such pages may have. */
export function embeddingOrigin(
  { headers: { origin }, url = "" }: IncomingMessage,
  { origins, embedOrigins }: AllowedHosts,
): string | undefined {
  if (origin === undefined || origins.has(origin) || !embedOrigins.has(origin)) return undefined;
  return /^\/api(?:\/|$)/.test(pathOf(url)) ? origin : undefined;
}

/** True for a request target that the router takes to `/api`, or to where MCP clients go, however it is written. */
export function isApiPath(target: string): boolean {
  return /^\/(?:api|mcp)(?:\/|$)/.test(pathOf(target));
}

/** The path as the router reads it; that of the API for a target that is none. */
function pathOf(target: string): string {
  const { pathname = "/api" } = URL.parse(target, "http://host") ?? {};
  return tryDecodeURI(pathname);
}
