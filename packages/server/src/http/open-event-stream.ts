import type { Clock } from "@holdpoint/engine";
import type { GatewayApi, SerializedFrame } from "@holdpoint/protocol";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

import { sendEventStream } from "../streams/event-stream.ts";
import type { StreamLimits } from "../streams/stream-limits.ts";
import type { StreamRegistry } from "../streams/stream-registry.ts";
import { describeError, type ServerLog } from "./request-log.ts";
import type { RouteRequest } from "./route.ts";

interface EventStreamParts {
  readonly gateway: Pick<GatewayApi, "announceClient" | "epoch">;
  readonly clock: Clock;
  readonly log: ServerLog;
  readonly streams: StreamRegistry;
  readonly streamLimits: StreamLimits;
}

/**
 * Answers a request with a stream of frames, tracked by the server's registry. If the request names a client, it is
 * announced while the stream is open. Throws `RATE_LIMITED` when the person has too many streams.
 */
export function openEventStream(
  parts: EventStreamParts,
  {
    c,
    caller,
    credential,
  }: Pick<RouteRequest<unknown, unknown, unknown>, "c" | "caller" | "credential">,
  follow: (signal: AbortSignal) => AsyncIterable<readonly SerializedFrame[]>,
): Response {
  const { gateway, clock, log, streams, streamLimits } = parts;
  // The stream outlives the request and must not retain the rest of it.
  const { outgoing } = c.env;
  streams.run(credential, async (ended) => {
    try {
      await sendEventStream({
        outgoing,
        epoch: gateway.epoch,
        ended,
        clock,
        limits: streamLimits,
        follow: (signal) => {
          if (caller.clientId !== undefined) gateway.announceClient(caller, { signal });
          return follow(signal);
        },
      });
    } catch (error) {
      log.error(describeError(error), "stream failed");
    }
  });
  return RESPONSE_ALREADY_SENT;
}
