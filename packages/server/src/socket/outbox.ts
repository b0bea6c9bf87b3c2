import type { Duplex } from "node:stream";
// The end of a turn of the event loop is not time that passes.
import { setImmediate } from "node:timers";

import type { Clock } from "@holdpoint/engine";
import type { WebSocket } from "ws";

import type { StreamLimits } from "../streams/stream-limits.ts";

export interface OutboxOptions {
  readonly socket: WebSocket;
  /** The connection under it. */
  readonly stream: Duplex;
  readonly clock: Clock;
  readonly limits: Pick<StreamLimits, "maxUnreadBytes" | "stallMs">;
  /** The client has taken nothing for `stallMs` although there is much for it. */
  readonly onStalled: () => void;
}

/**
 * The frames that go out on one connection, in order. It is full while the client does not take what was written. Then
 * senders wait (`ready`), and nothing is read from the client either, so that answers to its requests cannot pile up.
 * Frames that are sent in one turn of the event loop, such as an event and the status that follows from it, are one
 * write. Large frames are written in fragments, each after the one before was taken: a slow client that makes progress
 * does not count as stalled.
 */
export class Outbox implements Disposable {
  readonly #options: OutboxOptions;
  /** Frames that are not written whole yet. */
  readonly #queue: Buffer[] = [];
  /** How much of the first one is written. */
  #written = 0;
  #stall: Disposable | undefined;
  readonly #waiting = new Set<() => void>();
  #isClosed = false;
  #isGathering = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#queue.length > 0 || this.#options.socket.bufferedAmount >= this.#pieceBytes;
  }

  /** After it is disposed, nothing more is sent. */
  send(frame: Buffer | string): void {
    if (this.#isClosed) return;
    this.#queue.push(typeof frame === "string" ? Buffer.from(frame) : frame);
    this.#gather();
    this.#pump();
    if (this.isFull && !this.#stall) this.#wait();
  }

  /** Resolves once it is not full, and when the signal aborts. */
  async ready(signal: AbortSignal): Promise<void> {
    if (!this.isFull || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    this.#waiting.add(wake);
    signal.addEventListener("abort", wake);
    await promise;
    this.#waiting.delete(wake);
    signal.removeEventListener("abort", wake);
  }

  /** Writes everything, whatever the client takes. */
  flush(): void {
    while (this.#queue.length > 0) this.#writePiece();
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#stall?.[Symbol.dispose]();
    this.#stall = undefined;
    this.#release();
  }

  /** Small beside the bound of unread bytes, and large beside the cost of a write. */
  get #pieceBytes(): number {
    return Math.ceil(this.#options.limits.maxUnreadBytes / 4);
  }

  #gather(): void {
    if (this.#isGathering) return;
    const { stream } = this.#options;
    this.#isGathering = true;
    stream.cork();
    setImmediate(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  #pump(): void {
    while (this.#queue.length > 0 && this.#options.socket.bufferedAmount < this.#pieceBytes) {
      this.#writePiece();
    }
  }

  #writePiece(): void {
    const [frame] = this.#queue;
    if (!frame) return;
    const piece = frame.subarray(this.#written, this.#written + this.#pieceBytes);
    this.#written += piece.length;
    const fin = this.#written === frame.length;
    if (fin) {
      this.#queue.shift();
      this.#written = 0;
    }
    this.#options.socket.send(piece, { binary: false, fin }, this.#onTaken);
  }

  readonly #onTaken = (): void => {
    if (!this.#stall) return;
    this.#pump();
    if (this.isFull) return this.#wait();
    this.#stall[Symbol.dispose]();
    this.#stall = undefined;
    this.#release();
  };

  /** Begins to wait for the client, or begins anew when it has taken something. */
  #wait(): void {
    const { socket, clock, limits, onStalled } = this.#options;
    this.#stall?.[Symbol.dispose]();
    this.#stall = clock.after(limits.stallMs, onStalled);
    socket.pause();
  }

  #release(): void {
    this.#options.socket.resume();
    for (const resolve of this.#waiting) resolve();
  }
}
