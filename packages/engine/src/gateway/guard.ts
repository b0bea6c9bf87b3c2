import { type ProtocolError, refusal, saying } from "@holdpoint/protocol";

import { toProtocolError } from "../lib/errors.ts";
import type { Core } from "./core.ts";

/** Every failure leaves as a `ProtocolError`; an unexpected one is reported, and its caller learns nothing of it. */
export async function guard<TResult>(core: Core, call: () => Promise<TResult>): Promise<TResult> {
  try {
    return await call();
  } catch (error: unknown) {
    throw translate(core, error);
  }
}

/** The same for a stream: what it throws when it is opened, which its first reader does, and later. */
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
