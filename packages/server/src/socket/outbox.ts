import type { Duplex } from "node:stream";
// `setImmediate` waits for the end of a turn of the event loop, not for time to pass.
import { setImmediate } from "node:timers";

import type { Clock } from "@holdpoint/engine";
import type { WebSocket } from "ws";

import type { StreamLimits } from "../streams/stream-limits.ts";

export interface OutboxOptions {
  readonly socket: WebSocket;
  /** The underlying connection. */
  readonly stream: Duplex;
  readonly clock: Clock;
  readonly limits: Pick<StreamLimits, "maxUnreadBytes" | "stallMs">;
  /** Called when the client has taken nothing for `stallMs` although data is waiting. */
  readonly onStalled: () => void;
}

/**
 * The outgoing frames of one connection, in order. It is full while the client does not take the written data. Senders
 * then wait (`ready`), and nothing is read from the client, so that answers to its requests cannot pile up. Frames sent
 * in one turn of the event loop, such as an event and the status that follows from it, are one write. Large frames are
 * written in fragments, each after the previous one was taken, so that a slow client that makes progress does not count
 * as stalled.
 */
export class Outbox implements Disposable {
  readonly #options: OutboxOptions;
  /** Frames that are not completely written. */
  readonly #queue: Buffer[] = [];
  /** Bytes of the first frame that are written. */
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

  /** Queues a frame. Does nothing after disposal. */
  send(frame: Buffer | string): void {
    if (this.#isClosed) return;
    this.#queue.push(typeof frame === "string" ? Buffer.from(frame) : frame);
    this.#gather();
    this.#pump();
    if (this.isFull && !this.#stall) this.#wait();
  }

  /** Resolves once it is not full, or when the signal aborts. */
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

  /** Writes everything, even if the client is slow. */
  flush(): void {
    while (this.#queue.length > 0) this.#writePiece();
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#stall?.[Symbol.dispose]();
    this.#stall = undefined;
    this.#release();
  }

  /** Small compared to the limit of unread bytes, and large compared to the cost of a write. */
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

  /** Starts the stall timer, or restarts it when the client has taken something. */
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
