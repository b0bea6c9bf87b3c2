import type { ServerResponse } from "node:http";

import type { Clock } from "@holdpoint/engine";

import { drained } from "./drained.ts";

export interface LineStreamOptions {
  readonly outgoing: ServerResponse;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when the answer must end. */
  readonly ended: AbortSignal;
  readonly clock: Clock;
  /** The longest time without progress of the connection. */
  readonly stallMs: number;
  /** Batches of lines, read only while the connection takes data. */
  readonly lines: AsyncIterable<string>;
}

/**
 * Sends lines, and resolves when the response is over. If they cannot all be sent, the connection is broken off, so
 * that no one takes a part for the whole. Rejects with the error of `lines`.
 */
export async function sendLines(options: LineStreamOptions): Promise<void> {
  const { outgoing, headers, ended, clock, stallMs, lines } = options;
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const signal = AbortSignal.any([ended, gone.signal]);
  signal.addEventListener("abort", () => outgoing.destroy());
  try {
    if (outgoing.destroyed) return;
    outgoing.writeHead(200, headers);
    for await (const some of lines) {
      if (signal.aborted) return;
      outgoing.write(some);
      if ((await drained(outgoing, { clock, stallMs, signal })) !== "drained") return;
    }
    outgoing.end();
    await over(signal, clock, stallMs);
  } finally {
    if (!outgoing.writableFinished) outgoing.destroy();
  }
}

/** Resolves when the connection has taken the rest and closed, or after `stallMs`. */
async function over(signal: AbortSignal, clock: Clock, stallMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return;
  signal.addEventListener("abort", () => resolve());
  using _ = clock.after(stallMs, () => resolve());
  await promise;
}
