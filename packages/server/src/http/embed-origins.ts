import type { IncomingMessage, ServerResponse } from "node:http";

import { isLoopback } from "./allowed-hosts.ts";

/** All methods and headers that the routes accept. The gateway's own pages may use the same ones. */
const PREFLIGHT_HEADERS: ReadonlyMap<string, string> = new Map([
  ["Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE"],
  [
    "Access-Control-Allow-Headers",
    "Authorization, Content-Type, Last-Event-ID, X-Holdpoint-Client",
  ],
  ["Access-Control-Max-Age", "600"],
]);

/**
 * True for an origin, exactly as browsers write it, whose pages cannot be changed over the network: https, or http on
 * this machine.
 */
export function isEmbedOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.origin !== text || text.includes("*")) return false;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(host));
}

/**
 * Lets the embedding origin's page read the answer. CORS credentials stay disabled: the gateway uses none that browsers
 * send automatically, and clients authenticate with the `Authorization` header only.
 */
export function allowReading(outgoing: ServerResponse, origin: string): void {
  outgoing.setHeader("Access-Control-Allow-Origin", origin);
  outgoing.setHeader("Vary", "Origin");
}

/** True for a CORS preflight. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

export function answerPreflight(outgoing: ServerResponse): void {
  outgoing.writeHead(204, Object.fromEntries(PREFLIGHT_HEADERS));
  outgoing.end();
}
