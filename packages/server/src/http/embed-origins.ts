import type { IncomingMessage, ServerResponse } from "node:http";

import { isLoopback } from "./allowed-hosts.ts";

/** Everything that the routes take; a page of the gateway itself may use the same. */
const PREFLIGHT_HEADERS: ReadonlyMap<string, string> = new Map([
  ["Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE"],
  [
    "Access-Control-Allow-Headers",
    "Authorization, Content-Type, Last-Event-ID, X-Holdpoint-Client",
  ],
  ["Access-Control-Max-Age", "600"],
]);

/**
 * True for an origin, exactly as browsers write it, whose pages nobody on the network can change: https, or http of this
 * machine.
 */
export function isEmbedOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.origin !== text || text.includes("*")) return false;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(host));
}

/**
 * Lets the page of an embedding origin read the answer. There are no credentials that a browser would add by itself, so
 * none are allowed: only the `Authorization` header says who the client is.
 */
export function allowReading(outgoing: ServerResponse, origin: string): void {
  outgoing.setHeader("Access-Control-Allow-Origin", origin);
  outgoing.setHeader("Vary", "Origin");
}

/** True when a browser asks, before it sends a page's request, whether the page may send it. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

export function answerPreflight(outgoing: ServerResponse): void {
  outgoing.writeHead(204, Object.fromEntries(PREFLIGHT_HEADERS));
  outgoing.end();
}
