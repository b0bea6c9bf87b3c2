import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

import type { Clock } from "@holdpoint/engine";
import { CONNECTION_LIMITS } from "@holdpoint/protocol";

import { sourceOf } from "../auth/failure-limiter.ts";

/** What is needed of a connection. */
export type StrangerSocket = Pick<Socket, "destroy" | "once" | "remoteAddress">;

interface Stranger {
  readonly source: string;
  readonly sinceMs: number;
}

/**
 * Connections on which nobody has shown a credential. Of too many the oldest ones end. A new one has a moment to show its
 * credential, so that a client comes through however many others show none.
 */
export class Strangers {
  readonly #clock: Pick<Clock, "monotonic">;
  /** In the order in which they came. */
  readonly #all = new Map<StrangerSocket, Stranger>();
  readonly #mostOfAnyAge: number;
  readonly #bySource = new Map<string, Set<StrangerSocket>>();

  /** Strangers never take more than half of the room. */
  constructor(clock: Pick<Clock, "monotonic">, room?: { readonly most: number }) {
    this.#clock = clock;
    const half = Math.floor((room?.most ?? Infinity) / 2);
    this.#mostOfAnyAge = Math.min(CONNECTION_LIMITS.strangersOfAnyAge, half);
  }

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
    this.#all.set(socket, { source, sinceMs: this.#clock.monotonic() });
    socket.once("close", () => this.know(socket));
    const { strangersPerSource, strangers, newMs } = CONNECTION_LIMITS;
    const latestMs = this.#clock.monotonic() - newMs;
    this.#endOldest(ofSource, { most: strangersPerSource, latestMs });
    this.#endOldest(this.#all, { most: strangers, latestMs });
    this.#endOldest(this.#all, { most: this.#mostOfAnyAge, latestMs: Infinity });
  }

  /** The connection counts no more: a credential has come over it. */
  know(socket: StrangerSocket): void {
    const stranger = this.#all.get(socket);
    if (!stranger) return;
    const { source } = stranger;
    this.#all.delete(socket);
    const ofSource = this.#bySource.get(source);
    ofSource?.delete(socket);
    if (ofSource?.size === 0) this.#bySource.delete(source);
  }

  /** Ends those that came until an instant, the oldest first, until there are no more than may be. */
  #endOldest(
    sockets: { readonly size: number; keys(): Iterable<StrangerSocket> },
    { most, latestMs }: { readonly most: number; readonly latestMs: number },
  ): void {
    if (sockets.size <= most) return;
    for (const socket of sockets.keys()) {
      const { sinceMs = Infinity } = this.#all.get(socket) ?? {};
      if (sockets.size <= most || sinceMs > latestMs) return;
      this.know(socket);
      socket.destroy();
    }
  }
}
