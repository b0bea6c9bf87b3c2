import type { IncomingMessage } from "node:http";

/** Where a request comes from: what wrong credentials are counted by. `undefined` once its connection has ended. */
export function clientAddress({ socket }: Pick<IncomingMessage, "socket">): string | undefined {
  return socket.remoteAddress;
}
