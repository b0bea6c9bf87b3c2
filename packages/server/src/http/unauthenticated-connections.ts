import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

import type { Clock } from "@holdpoint/engine";
import { CONNECTION_LIMITS } from "@holdpoint/protocol";

import { sourceOf } from "../auth/failure-limiter.ts";

export type UnauthenticatedSocket = Pick<Socket, "destroy" | "once" | "remoteAddress">;

interface Stranger {
  readonly source: string;
  readonly sinceMs: number;
}

/**
 * Connections that have not presented a valid credential. When there are too many, the oldest are closed. A new
 * connection gets a moment to present its credential, so that clients can connect during a flood.
 */
export class UnauthenticatedConnections {
  readonly #clock: Pick<Clock, "monotonic">;
  /** Oldest first. */
  readonly #all = new Map<UnauthenticatedSocket, Stranger>();
  readonly #mostOfAnyAge: number;
  readonly #bySource = new Map<string, Set<UnauthenticatedSocket>>();

  /** Unauthenticated connections never use more than half of the connection limit. */
  constructor(clock: Pick<Clock, "monotonic">, room?: { readonly most: number }) {
    this.#clock = clock;
    const half = Math.floor((room?.most ?? Infinity) / 2);
    this.#mostOfAnyAge = Math.min(CONNECTION_LIMITS.strangersOfAnyAge, half);
  }

  get size(): number {
    return this.#all.size;
  }

  /** Tracks each new connection of the server. */
  watch(server: Server): void {
    // No credential can arrive before the TLS handshake has finished.
    const event = server instanceof TlsServer ? "secureConnection" : "connection";
    server.on(event, (socket: Socket) => this.add(socket));
  }

  add(socket: UnauthenticatedSocket): void {
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

  /** Stops tracking a connection that has closed or presented a valid credential. */
  know(socket: UnauthenticatedSocket): void {
    const stranger = this.#all.get(socket);
    if (!stranger) return;
    const { source } = stranger;
    this.#all.delete(socket);
    const ofSource = this.#bySource.get(source);
    ofSource?.delete(socket);
    if (ofSource?.size === 0) this.#bySource.delete(source);
  }

  /** Closes the oldest connections opened no later than `latestMs`, until at most `most` are left. */
  #endOldest(
    sockets: { readonly size: number; keys(): Iterable<UnauthenticatedSocket> },
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
