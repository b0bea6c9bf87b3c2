import type { Clock } from "../../lib/clock.ts";
import { ClientError } from "../client-error.ts";
import { SILENCE_MS } from "../silence-watch.ts";
import { endsStream } from "../stream-end.ts";
import type { HttpCall, HttpRequester } from "./http-request.ts";
import { readSse } from "./sse-reader.ts";

export interface HttpStreamOptions extends Pick<HttpCall, "path" | "query"> {
  readonly headers?: Record<string, string>;
  readonly clock: Clock;
  readonly clientId: string;
  readonly signal: AbortSignal;
  readonly closed: AbortSignal;
}

/**
 * The frames of one stream, in the batches in which they arrive; an empty one first, once it stands. Returns after a
 * `closing` frame, rejects when the stream breaks or falls silent, and gives the connection back either way.
 */
export async function* followHttpStream<TFrame extends { readonly type: string }>(
  requester: HttpRequester,
  { path, query, headers = {}, clock, clientId, signal, closed }: HttpStreamOptions,
): AsyncGenerator<readonly TFrame[]> {
  const left = new AbortController();
  const ending = AbortSignal.any([signal, closed, left.signal]);
  try {
    const response = await requester.openStream({
      method: "GET",
      path,
      query: { ...query, client: clientId },
      headers,
      signal: ending,
    });
    yield [];
    const stream = readSse(response, {
      clock,
      signal: ending,
      idleTimeoutMs: SILENCE_MS,
    });
    for await (const batch of stream) {
      yield batch as readonly TFrame[];
      if (endsStream(batch)) return;
    }
    throw new ClientError("CONNECTION_CLOSED", "The stream ended without a word.");
  } finally {
    requester.distrust();
    left.abort();
  }
}
