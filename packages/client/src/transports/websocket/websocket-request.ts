import { factsOf } from "@holdpoint/protocol";

import type { Request } from "../calls.ts";
import { withinTimeout } from "../within-timeout.ts";
import type { TimeoutOptions } from "../within-timeout.ts";
import type { IdleConnection, WebSocketLink } from "./websocket-link.ts";

/** How long a connection that carries nothing any more is kept for the next request. */
const LINGER_MS = 5000;

/**
 * Asks for operations over the connection of a link, each within the request timeout; connects when needed. One that may
 * be repeated is sent once more when its connection ended before the answer.
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
      try {
        for (let tries = 1; ; tries += 1) {
          const connection = await link.connect(ending);
          try {
            return await connection.ask({ type: "request", method, params }, { signal: ending });
          } catch (error: unknown) {
            const isLost = connection.over.aborted && error === connection.over.reason;
            if (ending.aborted || !isLost || tries === maxTries) throw error;
          }
        }
      } finally {
        release();
      }
    });
}
