import type { IncomingMessage } from "node:http";

import type { ForwardedClient, TrustedProxies } from "./trusted-proxies.ts";

const clients = new WeakMap<object, ForwardedClient>();

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
