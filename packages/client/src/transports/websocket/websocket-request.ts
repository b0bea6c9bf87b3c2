import { factsOf } from "@holdpoint/protocol";

import type { Request } from "../calls.ts";
import { withinTimeout, type TimeoutOptions } from "../within-timeout.ts";
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
      const frame = { type: "request", method, params };
      try {
        return await askAgain(link, frame, { maxTries, signal: ending });
      } finally {
        release();
      }
    });
}

/** Asks again on a new connection when the one before was lost before the answer. */
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
