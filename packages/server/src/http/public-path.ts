import type { IncomingMessage } from "node:http";

import { hostsOf } from "./allowed-hosts.ts";

/**
 * Requests whose path began with the public URL's. The value is the target to redirect to, for requests that lack the
 * slash after it.
 */
const taken = new WeakMap<IncomingMessage, string | undefined>();

/** The path of the public URL without a trailing slash, such as `/holdpoint`; empty if it has none. */
export function publicPathOf(publicUrl: URL | undefined): string {
  return publicUrl?.pathname.replace(/\/$/u, "") ?? "";
}

/**
 * Removes the public URL's path from a request. Some proxies forward it and others do not; all later code sees paths
 * from the root. It is removed only once, even when called again.
 */
export function takePathOff(incoming: IncomingMessage, path: string): void {
  const { url = "" } = incoming;
  if (path === "" || taken.has(incoming) || !url.startsWith(path)) return;
  const rest = url.slice(path.length);
  if (!/^(?:[/?]|$)/u.test(rest)) return;
  const isWhole = rest.startsWith("/");
  taken.set(incoming, isWhole ? undefined : `${path}/${rest}`);
  incoming.url = isWhole ? rest : `/${rest}`;
}

/** The redirect target for a request that lacks the slash after the public path; otherwise `undefined`. */
export function withSlash(incoming: IncomingMessage): string | undefined {
  return taken.get(incoming);
}

/**
 * How the public path was removed, for forwarding the request to another node: the redirect target, or an empty string
 * without one. `undefined` when the request did not have the path.
 */
export function takenPathOf(incoming: IncomingMessage): string | undefined {
  return taken.has(incoming) ? (taken.get(incoming) ?? "") : undefined;
}

/** Restores `takenPathOf` of a request forwarded by another node. */
export function believePath(incoming: IncomingMessage, said: string): void {
  taken.set(incoming, said === "" ? undefined : said);
}

/** The base path of the page for the requesting browser: the public URL's path if the browser uses the public URL. */
export function pathFor(incoming: IncomingMessage, publicUrl: URL | undefined): string {
  if (publicUrl === undefined) return "";
  const host = incoming.headers.host?.toLowerCase() ?? "";
  const isPublic = taken.has(incoming) || hostsOf(publicUrl).includes(host);
  return isPublic ? publicPathOf(publicUrl) : "";
}
