import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 20;

/** Event loop delay, in seconds. */
export interface Lag {
  readonly median: number;
  readonly p99: number;
  readonly max: number;
}

/** Measures event loop delay, starting with the first reading, so that it costs nothing if it is never read. */
export class EventLoopLag implements Disposable {
  #histogram: IntervalHistogram | undefined;

  /** Returns the delay since the last reading; `undefined` the first time. */
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

/** Converts the histogram's nanoseconds between ticks. */
function toLag(nanoseconds: number): number {
  return Math.max(nanoseconds / 1e6 - RESOLUTION_MS, 0) / 1000;
}
