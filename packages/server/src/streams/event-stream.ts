import type { ServerResponse } from "node:http";
// The end of a turn of the event loop is not time that passes.
import { clearImmediate, setImmediate } from "node:timers";

import type { Clock } from "@holdpoint/engine";
import type { EphemeralFrame, SerializedFrame } from "@holdpoint/protocol";

import { drained } from "./drained.ts";
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
  #pending = "";
  /** The rest of what is being written piece by piece; may begin inside a frame. */
  #unsent: Buffer | undefined;
  #lastWriteAtMs = Number.NEGATIVE_INFINITY;
  #flushTimer: Disposable | undefined;
  #heartbeatTimer: Disposable | undefined;
  #turnEnd: NodeJS.Immediate | undefined;
  #closingReason: ClosingReason | undefined;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#outgoing = options.outgoing;
  }

  async pump(): Promise<void> {
    this.#open();
    const { signal } = this.#stop;
    if (signal.aborted) return;
    for await (const frames of this.#options.follow(signal)) {
      for (const frame of frames) {
        this.#pending += encode(frame, this.#options.epoch);
        if (this.#pending.length >= this.#pieceBytes) await this.#flush();
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
    if (this.#unsent) outgoing.write(this.#unsent);
    outgoing.end(this.#pending + closingText(this.#closingReason));
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
    if (this.#pending.length < this.#pieceBytes) return this.#writePending();
    this.#unsent = Buffer.from(this.#pending);
    this.#pending = "";
    while (this.#unsent.length > 0 && !this.#stop.signal.aborted) {
      this.#outgoing.write(this.#unsent.subarray(0, this.#pieceBytes));
      this.#unsent = this.#unsent.subarray(this.#pieceBytes);
      await this.#drained();
    }
    if (this.#unsent.length === 0) this.#unsent = undefined;
    this.#lastWriteAtMs = this.#options.clock.monotonic();
  }

  #writePending(): void {
    if (this.#pending === "") return;
    this.#outgoing.write(this.#pending);
    this.#pending = "";
    this.#lastWriteAtMs = this.#options.clock.monotonic();
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
      this.#pending += frameText({ type: "ping", at: new Date(clock.now()).toISOString() });
      this.#writePending();
    });
  }
}

function canWait(frame: SerializedFrame): boolean {
  return frame.canWait === true;
}

function encode({ seq, json }: SerializedFrame, epoch: string): string {
  return seq === undefined ? `data: ${json}\n\n` : `id: ${epoch}.${seq}\ndata: ${json}\n\n`;
}

function frameText(frame: EphemeralFrame): string {
  return `data: ${JSON.stringify(frame)}\n\n`;
}

function closingText(reason: ClosingReason | undefined): string {
  return reason === undefined ? "" : frameText({ type: "closing", reason });
}
