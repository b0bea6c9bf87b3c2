import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

import { CONNECTION_LIMITS } from "@holdpoint/protocol";

import { sourceOf } from "../auth/failure-limiter.ts";

/** What is needed of a connection. */
export type StrangerSocket = Pick<Socket, "destroy" | "once" | "remoteAddress">;

/**
 * Connections on which nobody has shown a credential. Of too many the oldest one ends: a client shows its credential
 * within moments, so it comes through however many others show none.
 */
export class Strangers {
  /** In the order in which they came, each with its source. */
  readonly #all = new Map<StrangerSocket, string>();
  readonly #bySource = new Map<string, Set<StrangerSocket>>();

  get size(): number {
    return this.#all.size;
  }

  /** Counts every connection that the server takes from now on. */
  watch(server: Server): void {
    // Before the handshake of TLS there is nothing that a credential could come over.
    const event = server instanceof TlsServer ? "secureConnection" : "connection";
    server.on(event, (socket: Socket) => this.add(socket));
  }

  add(socket: StrangerSocket): void {
    const source = sourceOf(socket.remoteAddress);
    const ofSource = this.#bySource.get(source) ?? new Set();
    this.#bySource.set(source, ofSource.add(socket));
    this.#all.set(socket, source);
    socket.once("close", () => this.know(socket));
    if (ofSource.size > CONNECTION_LIMITS.strangersPerSource) this.#endOldest(ofSource);
    if (this.#all.size > CONNECTION_LIMITS.strangers) this.#endOldest(this.#all.keys());
  }

  /** The connection counts no more: a credential has come over it. */
  know(socket: StrangerSocket): void {
    const source = this.#all.get(socket);
    if (source === undefined) return;
    this.#all.delete(socket);
    const ofSource = this.#bySource.get(source);
    ofSource?.delete(socket);
    if (ofSource?.size === 0) this.#bySource.delete(source);
  }

  #endOldest(sockets: Iterable<StrangerSocket>): void {
    const [oldest] = sockets;
    if (!oldest) return;
    this.know(oldest);
    oldest.destroy();
  }
}
