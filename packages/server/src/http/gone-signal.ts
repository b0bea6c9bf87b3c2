import type { Context } from "hono";

import type { ServerEnv } from "./server-env.ts";

/** Returns a signal that aborts when the connection closes before the answer is complete. */
export function goneSignal(c: Context<ServerEnv>): AbortSignal {
  const gone = new AbortController();
  const { outgoing } = c.env;
  const close = (): void => {
    if (!outgoing.writableFinished) gone.abort();
  };
  // The connection may have closed while the request was read.
  if (outgoing.destroyed) close();
  else outgoing.once("close", close);
  return gone.signal;
}
