import type { ServerResponse } from "node:http";

import type { Clock } from "@holdpoint/engine";

import { drained } from "./drained.ts";

export interface LineStreamOptions {
  readonly outgoing: ServerResponse;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when the answer has to end. */
  readonly ended: AbortSignal;
  readonly clock: Clock;
  /** How long the connection may take nothing. */
  readonly stallMs: number;
  /** Some lines at a time. Not read further while the connection takes nothing. */
  readonly lines: AsyncIterable<string>;
}

/**
 * Answers with lines, and resolves when the response is over. One that cannot be sent whole is broken off, so that nobody takes
 * a part for the whole: it has no end. Rejects with what `lines` rejects with.
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

/** The connection has taken the rest and is done, or takes too long. */
async function over(signal: AbortSignal, clock: Clock, stallMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return;
  signal.addEventListener("abort", () => resolve());
  using _ = clock.after(stallMs, () => resolve());
  await promise;
}
