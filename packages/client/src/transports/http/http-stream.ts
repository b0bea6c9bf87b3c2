import type { Clock } from "../../lib/clock.ts";
import { ClientError } from "../client-error.ts";
import { SILENCE_MS, watchSilence } from "../silence-watch.ts";
import { endsStream } from "../stream-end.ts";
import type { HttpCall, HttpRequester } from "./http-request.ts";
import { heldBack, readSse } from "./sse-reader.ts";

/** The time limit for the first frame of a stream that begins with one. */
const FIRST_FRAME_MS = 8000;

export interface HttpStreamOptions extends Pick<HttpCall, "path" | "query"> {
  readonly headers?: Record<string, string>;
  readonly clock: Clock;
  readonly clientId: string;
  /** Whether the gateway sends a frame at once. If none arrives, something is withholding the stream. */
  readonly beginsAtOnce?: boolean;
  readonly signal: AbortSignal;
  readonly closed: AbortSignal;
}

/**
 * Yields the frames of one stream in batches, as they arrive. The first batch is empty and shows that the stream is
 * open. Returns after a `closing` frame, rejects when the stream breaks or falls silent, and always releases the
 * connection.
 */
export async function* followHttpStream<TFrame extends { readonly type: string }>(
  requester: HttpRequester,
  options: HttpStreamOptions,
): AsyncGenerator<readonly TFrame[]> {
  const { path, query, headers = {}, clock, clientId, signal, closed } = options;
  const firstTimeoutMs = options.beginsAtOnce ? FIRST_FRAME_MS : undefined;
  const left = new AbortController();
  const ending = AbortSignal.any([signal, closed, left.signal]);
  try {
    const response = await openInTime(
      requester,
      { method: "GET", path, query: { ...query, client: clientId }, headers, signal: ending },
      { clock, silenceMs: firstTimeoutMs ?? SILENCE_MS },
    );
    const stream = readSse(response, {
      clock,
      signal: ending,
      firstTimeoutMs,
      idleTimeoutMs: SILENCE_MS,
    });
    // A proxy may let the headers through and withhold the body.
    let stands = options.beginsAtOnce !== true;
    if (stands) yield [];
    for await (const batch of stream) {
      if (!stands) yield [];
      stands = true;
      yield batch as readonly TFrame[];
      if (endsStream(batch)) return;
    }
    throw new ClientError("CONNECTION_CLOSED", "The stream ended without a reason.");
  } finally {
    requester.distrust();
    left.abort();
  }
}

/** Opens a stream within the limit: a proxy that withholds a whole stream withholds its headers, too. */
async function openInTime(
  { openStream }: HttpRequester,
  call: Parameters<HttpRequester["openStream"]>[0],
  limit: { readonly clock: Clock; readonly silenceMs: number },
): Promise<Response> {
  const watch = watchSilence({ ...limit, signal: call.signal });
  try {
    const signal = AbortSignal.any([call.signal, watch.silent]);
    const response = await openStream({ ...call, signal });
    return response;
  } catch (error: unknown) {
    throw watch.silent.aborted && !call.signal.aborted ? heldBack() : error;
  } finally {
    watch[Symbol.dispose]();
  }
}
