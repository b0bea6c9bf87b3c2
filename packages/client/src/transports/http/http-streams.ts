import type { Cursor, OverviewFrame, SessionFrame } from "@holdpoint/protocol";

import type { Streams } from "../transport.ts";
import { toPath } from "./http-calls.ts";
import type { HttpRequester } from "./http-request.ts";
import { followHttpStream, type HttpStreamOptions } from "./http-stream.ts";

/** Creates streams as server-sent events, each over a separate connection. */
export function createHttpStreams(
  requester: HttpRequester,
  options: Pick<HttpStreamOptions, "clock" | "clientId" | "closed">,
): Streams {
  const follow = <TFrame extends { readonly type: string }>(
    call: Pick<HttpStreamOptions, "beginsAtOnce" | "headers" | "path" | "query">,
    signal: AbortSignal,
  ): AsyncIterable<readonly TFrame[]> =>
    followHttpStream<TFrame>(requester, { ...options, ...call, signal });
  return {
    followSession: (sessionId, cursor, { signal }) =>
      follow<SessionFrame>(
        { path: toPath("readEvents", { sessionId }), ...toResumption(cursor) },
        signal,
      ),
    followOverview: ({ signal }) =>
      follow<OverviewFrame>({ path: "/api/events", beginsAtOnce: true }, signal),
  };
}

function toResumption({ epoch, seq }: Cursor): Pick<HttpStreamOptions, "query" | "headers"> {
  if (epoch === undefined) return { query: { after: seq } };
  return { query: { after: seq }, headers: { "Last-Event-ID": `${epoch}.${seq}` } };
}
