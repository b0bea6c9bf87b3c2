import { factsOf } from "@holdpoint/protocol";

import type { Request } from "../calls.ts";
import { withinTimeout, type TimeoutOptions } from "../within-timeout.ts";
import type { IdleConnection, WebSocketLink } from "./websocket-link.ts";

/** How long an unused connection is kept open for the next request. */
const LINGER_MS = 5000;

/**
 * Creates a request function that uses the connection of a link, connecting on demand. Each request has the request
 * timeout. A repeatable request is sent once more if its connection ends before the response.
 */
export function createWebSocketRequest(link: WebSocketLink, options: TimeoutOptions): Request {
  const linger = ({ over, close }: IdleConnection): void => {
    options.clock.sleep(LINGER_MS, { signal: over }).then(close, () => undefined); // Rejects when it is used again.
  };
  return (method, params, { signal }) =>
    withinTimeout(options, signal, async (ending) => {
      const { method: httpMethod, repeat } = factsOf(method);
      const maxTries = httpMethod === "GET" || repeat ? 2 : 1;
      const release = link.hold(linger);
      const frame = { type: "request", method, params };
      try {
        return await askAgain(link, frame, { maxTries, signal: ending });
      } finally {
        release();
      }
    });
}

/** Repeats a request on a new connection if the previous one was lost before the response. */
async function askAgain(
  link: WebSocketLink,
  frame: object,
  { maxTries, signal }: { readonly maxTries: number; readonly signal: AbortSignal },
): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    const connection = await link.connect(signal);
    try {
      return await connection.ask(frame, { signal });
    } catch (error: unknown) {
      const isLost = connection.over.aborted && error === connection.over.reason;
      if (signal.aborted || !isLost || tries === maxTries) throw error;
    }
  }
}
