import type { ServerResponse } from "node:http";
// `setImmediate` waits for the end of a turn of the event loop, not for time to pass.
import { clearImmediate, setImmediate } from "node:timers";

import type { Clock } from "@holdpoint/engine";
import type { EphemeralFrame, SerializedFrame } from "@holdpoint/protocol";

import { drained } from "./drained.ts";
import { FrameChunks } from "./frame-chunks.ts";
import type { StreamLimits } from "./stream-limits.ts";
import type { ClosingReason } from "./stream-registry.ts";

/** Time for the last frame to reach a connected reader. */
const FAREWELL_MS = 2000;

export interface EventStreamOptions {
  readonly outgoing: ServerResponse;
  /** The epoch of the durable events' `seq`; part of their ids. */
  readonly epoch: string;
  /** Aborts, with a `ClosingReason`, when the stream must end. */
  readonly ended: AbortSignal;
  readonly clock: Clock;
  readonly limits: StreamLimits;
  /** Opens the frames. The signal aborts when the reader disconnects or the stream must end. */
  follow(signal: AbortSignal): AsyncIterable<readonly SerializedFrame[]>;
}

/**
 * Sends frames as server-sent events until they end, the reader disconnects, or the stream must end. Resolves when the
 * response is over. Writes to the Node response directly. Frames are read only while the connection takes data: frames
 * that a slow reader misses stay in the log. A reader that takes nothing for `stallMs` is disconnected with
 * `slow_client`, and can resume at its cursor. Rejects with the error of `follow`, after the response is over.
 */
export async function sendEventStream(options: EventStreamOptions): Promise<void> {
  const stream = new EventStream(options);
  try {
    await stream.pump();
  } finally {
    await stream.finish();
  }
}

class EventStream {
  readonly #options: EventStreamOptions;
  readonly #outgoing: ServerResponse;
  readonly #stop = new AbortController();
  readonly #onGone = (): void => this.#stop.abort();
  readonly #onEnded = (): void => this.#end(this.#options.ended.reason as ClosingReason);
  /** Complete frames to be written together. */
  readonly #pending: FrameChunks;
  /** The rest of a write in pieces; may start within a frame. */
  #unsent: Buffer[] | undefined;
  #lastWriteAtMs = Number.NEGATIVE_INFINITY;
  #flushTimer: Disposable | undefined;
  #heartbeatTimer: Disposable | undefined;
  #turnEnd: NodeJS.Immediate | undefined;
  #closingReason: ClosingReason | undefined;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#outgoing = options.outgoing;
    this.#pending = new FrameChunks(options.epoch);
  }

  async pump(): Promise<void> {
    this.#open();
    const { signal } = this.#stop;
    if (signal.aborted) return;
    for await (const frames of this.#options.follow(signal)) {
      for (const frame of frames) {
        this.#pending.add(frame);
        if (this.#pending.size >= this.#pieceBytes) await this.#flush();
        if (signal.aborted) return;
      }
      if (!frames.every(canWait) || this.#isQuiet()) this.#flushThisTurn();
      else this.#flushSoon();
      await this.#drained();
      if (signal.aborted) return;
    }
  }

  /** Writes the rest and the closing reason, then waits until the response is over, for a limited time. */
  async finish(): Promise<void> {
    const { clock, ended } = this.#options;
    const outgoing = this.#outgoing;
    this.#stop.abort();
    clearImmediate(this.#turnEnd);
    this.#flushTimer?.[Symbol.dispose]();
    this.#heartbeatTimer?.[Symbol.dispose]();
    ended.removeEventListener("abort", this.#onEnded);
    outgoing.off("close", this.#onGone);
    if (outgoing.closed || outgoing.destroyed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    outgoing.once("close", resolve);
    const farewell = clock.after(FAREWELL_MS, () => outgoing.destroy());
    if (this.#closingReason) this.#pending.add(closingFrame(this.#closingReason));
    this.#write([...(this.#unsent ?? []), ...this.#pending.take()]);
    outgoing.end();
    await promise;
    farewell[Symbol.dispose]();
  }

  /** Small compared to the limit of unread bytes, and large compared to the cost of a write. */
  get #pieceBytes(): number {
    return Math.ceil(this.#options.limits.maxUnreadBytes / 4);
  }

  #open(): void {
    const { ended } = this.#options;
    this.#outgoing.on("close", this.#onGone);
    if (this.#outgoing.destroyed) return this.#onGone();
    ended.addEventListener("abort", this.#onEnded);
    if (ended.aborted) this.#onEnded();
    this.#outgoing.writeHead(200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "X-Accel-Buffering": "no",
    });
    this.#outgoing.flushHeaders();
    this.#scheduleHeartbeat();
  }

  #end(reason: ClosingReason): void {
    this.#closingReason ??= reason;
    this.#stop.abort();
  }

  #isQuiet(): boolean {
    const { clock, limits } = this.#options;
    return clock.monotonic() - this.#lastWriteAtMs >= limits.coalesceMs;
  }

  /** Writes frames of one turn of the event loop together, such as an event and the status that follows from it. */
  #flushThisTurn(): void {
    this.#turnEnd ??= setImmediate(() => {
      this.#turnEnd = undefined;
      this.#flushTimer?.[Symbol.dispose]();
      this.#flushTimer = undefined;
      if (this.#unsent === undefined) this.#writePending();
    });
  }

  #flushSoon(): void {
    const { limits, clock } = this.#options;
    const waitedMs = clock.monotonic() - this.#lastWriteAtMs;
    this.#flushTimer ??= clock.after(Math.max(limits.coalesceMs - waitedMs, 0), () => {
      this.#flushTimer = undefined;
      if (this.#unsent === undefined) this.#writePending();
    });
  }

  /** Writes all pending frames in pieces, each when the connection has taken the previous one. */
  async #flush(): Promise<void> {
    this.#flushTimer?.[Symbol.dispose]();
    this.#flushTimer = undefined;
    if (this.#pending.size < this.#pieceBytes) return this.#writePending();
    const unsent = this.#pending.take();
    this.#unsent = unsent;
    for (let first = unsent[0]; first && !this.#stop.signal.aborted; first = unsent[0]) {
      this.#outgoing.write(first.subarray(0, this.#pieceBytes));
      const rest = first.subarray(this.#pieceBytes);
      if (rest.length > 0) unsent[0] = rest;
      else unsent.shift();
      await this.#drained();
    }
    if (unsent.length === 0) this.#unsent = undefined;
    this.#lastWriteAtMs = this.#options.clock.monotonic();
  }

  #writePending(): void {
    if (this.#pending.size === 0) return;
    this.#write(this.#pending.take());
    this.#lastWriteAtMs = this.#options.clock.monotonic();
  }

  /**
   * Not corked: Node already combines the writes of one turn, and with corking each chunk and its HTTP framing would be
   * separate writes.
   */
  #write(chunks: readonly Buffer[]): void {
    for (const chunk of chunks) this.#outgoing.write(chunk);
  }

  async #drained(): Promise<void> {
    const { clock, limits } = this.#options;
    const { signal } = this.#stop;
    const result = await drained(this.#outgoing, { clock, stallMs: limits.stallMs, signal });
    if (result === "stalled") this.#end("slow_client");
  }

  #scheduleHeartbeat(): void {
    const { clock, limits } = this.#options;
    this.#heartbeatTimer = clock.after(limits.heartbeatMs, () => {
      this.#scheduleHeartbeat();
      // A busy connection needs no heartbeat.
      if (this.#unsent !== undefined || this.#outgoing.writableNeedDrain) return;
      this.#pending.add(toFrame({ type: "ping", at: new Date(clock.now()).toISOString() }));
      this.#writePending();
    });
  }
}

function canWait(frame: SerializedFrame): boolean {
  return frame.canWait === true;
}

function toFrame(frame: EphemeralFrame): SerializedFrame {
  return { json: JSON.stringify(frame) };
}

function closingFrame(reason: ClosingReason): SerializedFrame {
  return toFrame({ type: "closing", reason });
}
