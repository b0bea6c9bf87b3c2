import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 20;

/** How late the event loop is, in seconds. */
export interface Lag {
  readonly median: number;
  readonly p99: number;
  readonly max: number;
}

/** Measures how late the event loop is, from the first question on: nobody pays for what nobody asks for. */
export class EventLoopLag implements Disposable {
  #histogram: IntervalHistogram | undefined;

  /** Since the last question; `undefined` the first time. */
  read(): Lag | undefined {
    const histogram = this.#histogram;
    if (!histogram) {
      this.#histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      this.#histogram.enable();
      return undefined;
    }
    const lag = {
      median: toLag(histogram.percentile(50)),
      p99: toLag(histogram.percentile(99)),
      max: toLag(histogram.max),
    };
    const isEmpty = histogram.count === 0;
    histogram.reset();
    return isEmpty ? { median: 0, p99: 0, max: 0 } : lag;
  }

  [Symbol.dispose](): void {
    this.#histogram?.disable();
    this.#histogram = undefined;
  }
}

/** The histogram has nanoseconds from tick to tick. */
function toLag(nanoseconds: number): number {
  return Math.max(nanoseconds / 1e6 - RESOLUTION_MS, 0) / 1000;
}
