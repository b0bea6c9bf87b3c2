import type { IncomingMessage } from "node:http";

import { hostsOf } from "./allowed-hosts.ts";

/** Requests that came with the path of the public URL; those for nothing but the path, with what they should have asked for. */
const taken = new WeakMap<IncomingMessage, string | undefined>();

/** The path of the public URL without a slash at its end, such as `/holdpoint`; empty where it has none. */
export function publicPathOf(publicUrl: URL | undefined): string {
  return publicUrl?.pathname.replace(/\/$/u, "") ?? "";
}

/**
 * Takes the path of the public URL off a request, which some proxies pass on and others do not. So everything that reads the
 * request after this finds it as at the root. It is taken off once, however often this is called.
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

/** Of a request for the path itself without the slash that belongs behind it: what it should have asked for. */
export function withSlash(incoming: IncomingMessage): string | undefined {
  return taken.get(incoming);
}

/**
 * How a request came with the path, for a fellow node that it is passed on to: with what it should have asked for, or else empty.
 * `undefined` where it came without.
 */
export function takenPathOf(incoming: IncomingMessage): string | undefined {
  return taken.has(incoming) ? (taken.get(incoming) ?? "") : undefined;
}

/** The same, where a fellow node has said it. */
export function believePath(incoming: IncomingMessage, said: string): void {
  taken.set(incoming, said === "" ? undefined : said);
}

/** The path under which the browser that asks finds the page: that of the public URL where it uses that. */
export function pathFor(incoming: IncomingMessage, publicUrl: URL | undefined): string {
  if (publicUrl === undefined) return "";
  const host = incoming.headers.host?.toLowerCase() ?? "";
  const isPublic = taken.has(incoming) || hostsOf(publicUrl).includes(host);
  return isPublic ? publicPathOf(publicUrl) : "";
}
