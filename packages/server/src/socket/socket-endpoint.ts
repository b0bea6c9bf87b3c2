import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { MAX_FRAME_BYTES, SOCKET_LIMITS } from "@holdpoint/protocol";
import { WebSocketServer } from "ws";

import { clientAddress } from "../http/client-address.ts";
import { requestLineOf } from "../http/run-route.ts";
import type { ServerContext } from "../server-context.ts";
import { SocketConnection } from "./socket-connection.ts";
import { FRAME_HEAD_BYTES } from "./socket-frames.ts";

const PATH = /^\/api\/ws(?:\?|$)/;

/** True for a request to open a WebSocket at `/api/ws`. */
export function opensSocket({ headers, method, url = "" }: IncomingMessage): boolean {
  return (
    PATH.test(url) &&
    method === "GET" &&
    headers.upgrade?.toLowerCase() === "websocket" &&
    headers["sec-websocket-version"] === "13" &&
    /^[+/0-9A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? "")
  );
}

/** Accepts the WebSockets at `/api/ws` and tracks them. */
export class SocketEndpoint {
  readonly #context: ServerContext;
  readonly #open = new Set<SocketConnection>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  });

  constructor(context: ServerContext) {
    this.#context = context;
  }

  /** Opens the WebSocket for a checked request whose client is identified. */
  open(incoming: IncomingMessage, stream: Duplex, head: Buffer): void {
    if (head.length > SOCKET_LIMITS.helloBytes + FRAME_HEAD_BYTES) return refuseFlood(stream, head);
    this.#sockets.handleUpgrade(incoming, stream, head, (socket) => {
      const connection = new SocketConnection({
        socket,
        stream: incoming.socket,
        address: clientAddress(incoming),
        requestLine: requestLineOf(incoming),
        context: this.#context,
      });
      this.#open.add(connection);
      void connection.done.then(() => this.#open.delete(connection));
    });
  }

  /** Ends all connections, including unauthenticated ones. Resolves when none is left. */
  async close(): Promise<void> {
    for (const connection of this.#open) connection.end("draining");
    await Promise.all([...this.#open].map(({ done }) => done));
  }
}

/**
 * Ends a connection that has sent more than the longest first frame before the upgrade was answered, which no client
 * does. Frees the received bytes immediately: in a flood, each connection would leave 64 KiB, and a busy process
 * collects garbage late.
 */
function refuseFlood(stream: Duplex, { buffer, byteLength }: Buffer): void {
  // A smaller buffer may share its memory with others.
  if (buffer instanceof ArrayBuffer && byteLength > Buffer.poolSize) buffer.transfer(0);
  stream.on("error", () => stream.destroy());
  stream.end("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  stream.once("finish", () => stream.destroy());
}
