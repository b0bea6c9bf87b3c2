import type { IncomingMessage } from "node:http";

import type { ForwardedClient, TrustedProxies } from "./trusted-proxies.ts";

const clients = new WeakMap<object, ForwardedClient>();
const ofFellows = new WeakSet<object>();

/** The client's address, under which wrong credentials are counted. `undefined` once the connection has ended. */
export function clientAddress(incoming: Pick<IncomingMessage, "socket">): string | undefined {
  return clients.get(incoming)?.address ?? incoming.socket.remoteAddress;
}

/** Stores a request's client as reported by the trusted proxies. Call it before `clientAddress`. */
export function identifyClient(
  incoming: IncomingMessage,
  proxies: TrustedProxies,
): ForwardedClient {
  const client = proxies.clientOf(incoming);
  clients.set(incoming, client);
  return client;
}

/** Stores a request's client as reported by the node that forwarded it. */
export function trustForwardedClient(incoming: IncomingMessage, client: ForwardedClient): void {
  clients.set(incoming, client);
  ofFellows.add(incoming);
}

/** True for a request that another node forwarded. */
export function isFromNode(incoming: IncomingMessage): boolean {
  return ofFellows.has(incoming);
}
