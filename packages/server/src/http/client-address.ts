import type { IncomingMessage } from "node:http";

import type { ForwardedClient, TrustedProxies } from "./trusted-proxies.ts";

const clients = new WeakMap<object, ForwardedClient>();
const ofFellows = new WeakSet<object>();

/** Where a request comes from: what wrong credentials are counted by. `undefined` once its connection has ended. */
export function clientAddress(incoming: Pick<IncomingMessage, "socket">): string | undefined {
  return clients.get(incoming)?.address ?? incoming.socket.remoteAddress;
}

/** Remembers what the trusted proxies say of a request's client; to be called before anything asks for its address. */
export function identifyClient(
  incoming: IncomingMessage,
  proxies: TrustedProxies,
): ForwardedClient {
  const client = proxies.clientOf(incoming);
  clients.set(incoming, client);
  return client;
}

/** The same, where a fellow node has said it. */
export function believeFellow(incoming: IncomingMessage, client: ForwardedClient): void {
  clients.set(incoming, client);
  ofFellows.add(incoming);
}

/** True for a request that a fellow node has passed on. */
export function isOfFellow(incoming: IncomingMessage): boolean {
  return ofFellows.has(incoming);
}
