import type { Writable } from "node:stream";

import type { Clock } from "@holdpoint/engine";

/**
 * Resolves to `drained` when the connection has taken the written data, to `stalled` if it has not within `stallMs`,
 * and to `aborted` when the signal aborts. A closed connection never drains, so its close must abort the signal.
 */
export function drained(
  writable: Writable,
  { clock, stallMs, signal }: { clock: Clock; stallMs: number; signal: AbortSignal },
): Promise<"aborted" | "drained" | "stalled"> {
  if (signal.aborted) return Promise.resolve("aborted");
  if (!writable.writableNeedDrain) return Promise.resolve("drained");
  return new Promise((resolve) => {
    const settle = (result: "aborted" | "drained" | "stalled"): void => {
      writable.off("drain", onDrain);
      signal.removeEventListener("abort", onAbort);
      stall[Symbol.dispose]();
      resolve(result);
    };
    const onDrain = (): void => settle("drained");
    const onAbort = (): void => settle("aborted");
    const stall = clock.after(stallMs, () => settle("stalled"));
    writable.on("drain", onDrain);
    signal.addEventListener("abort", onAbort);
  });
}
