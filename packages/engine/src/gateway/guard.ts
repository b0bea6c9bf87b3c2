import { type ProtocolError, refusal, saying } from "@holdpoint/protocol";

import { toProtocolError } from "../lib/errors.ts";
import type { Core } from "./core.ts";

/** Turns every failure into a `ProtocolError`. An unexpected one is reported, and its caller gets no details. */
export async function guard<TResult>(core: Core, call: () => Promise<TResult>): Promise<TResult> {
  try {
    return await call();
  } catch (error: unknown) {
    throw translate(core, error);
  }
}

/** Guards a stream. The first read opens it, and failures at that point or later become `ProtocolError`s. */
export function guardStream<TBatch>(
  core: Core,
  open: () => AsyncGenerator<TBatch, void>,
): AsyncIterable<TBatch, void> {
  return {
    [Symbol.asyncIterator]() {
      let stream: AsyncGenerator<TBatch, void> | undefined;
      return {
        next: () => guard(core, () => (stream ??= open()).next()),
        return: () => guard(core, async () => stream?.return() ?? { done: true, value: undefined }),
      };
    },
  };
}

function translate(core: Core, error: unknown): ProtocolError {
  const known = toProtocolError(error);
  if (!known) core.onError(error, "call");
  return known ?? refusal("INTERNAL", saying("went_wrong"), {}, { cause: error });
}
