import type { Context } from "hono";

import type { ServerEnv } from "./server-env.ts";

/** Aborts when the connection is gone before the answer was complete. */
export function goneSignal(c: Context<ServerEnv>): AbortSignal {
  const gone = new AbortController();
  const { outgoing } = c.env;
  const close = (): void => {
    if (!outgoing.writableFinished) gone.abort();
  };
  // It may have gone while the request was read.
  if (outgoing.destroyed) close();
  else outgoing.once("close", close);
  return gone.signal;
}
