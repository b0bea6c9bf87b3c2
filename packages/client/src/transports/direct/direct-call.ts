import { ProtocolError, type SerializedFrame } from "@holdpoint/protocol";

import { ClientError } from "../client-error.ts";
import { endsStream } from "../stream-end.ts";
import type { CallOptions } from "../transport.ts";
import { untilAborted } from "../until-aborted.ts";
import { copyJson } from "./direct-input.ts";

/** Makes calls in the same process behave like calls over a network. */
export interface DirectCalls {
  /** Runs `work` and copies its result. Rejects early when aborted or closed, without undoing the work. */
  readonly call: <T>(work: () => Promise<T>, options?: CallOptions) => Promise<T>;
  /** Yields the parsed frames of one stream. `open` gets the signal that ends the stream. */
  readonly follow: <TFrame extends { readonly type: string }>(
    open: (signal: AbortSignal) => Promise<AsyncIterable<readonly SerializedFrame[]>>,
    signal: AbortSignal,
  ) => AsyncIterable<readonly TFrame[]>;
  readonly close: () => void;
}

export function createDirectCalls(): DirectCalls {
  const closed = new AbortController();
  return {
    async call(work, { signal } = {}) {
      const ending = signal ? AbortSignal.any([signal, closed.signal]) : closed.signal;
      ending.throwIfAborted();
      return copyJson(await untilAborted(typed(work), ending));
    },
    follow: (open, signal) => followFrames(open, signal, closed.signal),
    close: () => closed.abort(new ClientError("CONNECTION_CLOSED", "The transport is closed.")),
  };
}

/** Converts unexpected errors to `INTERNAL`, because they would be an opaque 500 over a network. */
async function typed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error: unknown) {
    if (ProtocolError.isInstance(error)) throw error;
    throw new ProtocolError("INTERNAL", "The gateway failed.", {}, { cause: error });
  }
}

async function* followFrames<TFrame extends { readonly type: string }>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<readonly SerializedFrame[]>>,
  signal: AbortSignal,
  closed: AbortSignal,
): AsyncGenerator<readonly TFrame[]> {
  const left = new AbortController();
  const ending = AbortSignal.any([signal, closed, left.signal]);
  ending.throwIfAborted();
  let stream: AsyncIterator<readonly SerializedFrame[]> | undefined;
  try {
    const opened = typed(() => open(ending));
    stream = (await untilAborted(opened, ending))[Symbol.asyncIterator]();
    yield [];
    for (;;) {
      const batch = await nextBatch<TFrame>(stream, ending);
      yield batch;
      if (endsStream(batch)) return;
    }
  } finally {
    left.abort();
    await stream?.return?.();
  }
}

async function nextBatch<TFrame>(
  stream: AsyncIterator<readonly SerializedFrame[]>,
  signal: AbortSignal,
): Promise<readonly TFrame[]> {
  try {
    const { done, value } = await untilAborted(stream.next(), signal);
    signal.throwIfAborted();
    if (done !== true) return value.map(({ json }) => JSON.parse(json) as TFrame);
  } catch (error: unknown) {
    signal.throwIfAborted();
    throw new ClientError("CONNECTION_CLOSED", "The stream broke.", { cause: error });
  }
  throw new ClientError("CONNECTION_CLOSED", "The stream ended without a reason.");
}
