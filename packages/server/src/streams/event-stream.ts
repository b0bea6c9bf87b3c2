import type { ServerResponse } from "node:http";
// The end of a turn of the event loop is not time that passes.
import { clearImmediate, setImmediate } from "node:timers";

import type { Clock } from "@holdpoint/engine";
import type { EphemeralFrame, SerializedFrame } from "@holdpoint/protocol";

import { drained } from "./drained.ts";
import { FrameChunks } from "./frame-chunks.ts";
import type { StreamLimits } from "./stream-limits.ts";
import type { ClosingReason } from "./stream-registry.ts";

/** Time for the last frame to reach a reader that is still there. */
const FAREWELL_MS = 2000;

export interface EventStreamOptions {
  readonly outgoing: ServerResponse;
  /** History that the `seq` of durable events belongs to; part of their ids. */
  readonly epoch: string;
  /** Aborts, with a `ClosingReason`, when the stream has to end. */
  readonly ended: AbortSignal;
  readonly clock: Clock;
  readonly limits: StreamLimits;
  /** Opens the frames; its signal aborts when the reader is gone or the stream has to end. */
  follow(signal: AbortSignal): AsyncIterable<readonly SerializedFrame[]>;
}

/**
 * Sends frames as server-sent events until they end, the reader leaves, or the stream has to end; resolves when the
 * response is over. Writes to the Node response itself. Frames are pulled only while the connection takes them: what
 * a slow reader misses stays in the log. One that takes nothing for `stallMs` is closed with `slow_client`, and
 * resumes by its cursor. Rejects with what `follow` rejects with, after the response is over.
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
  /** Whole frames that wait to be written together. */
  readonly #pending: FrameChunks;
  /** The rest of what is being written piece by piece; may begin inside a frame. */
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

  /** Writes the rest and the reason, then waits until the response is over or the reader takes no more. */
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

  /** A write of this size is small beside the bound of unread bytes, and large beside the cost of a write. */
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

  /** What comes in one turn of the event loop, such as an event and the status that follows from it, is one write. */
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

  /** Writes all that is pending, in pieces, each when the connection has taken the one before. */
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

  /** Node gathers what is written in one turn. Corked, each chunk and what HTTP puts around it would be a write of its own. */
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
      // A connection that is busy needs no sign of life.
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
