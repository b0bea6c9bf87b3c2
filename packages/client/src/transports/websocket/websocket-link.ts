import type { Clock } from "../../lib/clock.ts";
import { untilAborted } from "../until-aborted.ts";
import type { WebSocketConnection } from "./websocket-connection.ts";

/** How long a connection that carried but requests is kept for the next one. */
const LINGER_MS = 5000;

export interface WebSocketLinkOptions {
  readonly open: () => WebSocketConnection;
  readonly clock: Clock;
  /** Aborts when the owner is disposed. */
  readonly closed: AbortSignal;
}

/** The one connection of a transport: there while somebody uses it, opened anew when it is needed again. */
export interface WebSocketLink {
  /**
   * Keeps the connection until the function that it returns is called. With the last stream it closes at once, as the
   * gateway shows who is connected, and a connection that is dead unnoticed must not be used for the next.
   */
  hold(use: "request" | "stream"): () => void;
  /** The connection of now, once it is welcomed. Rejects as its `welcomed` does, and with the signal's reason. */
  connect(signal: AbortSignal): Promise<WebSocketConnection>;
}

export function createWebSocketLink({ open, clock, closed }: WebSocketLinkOptions): WebSocketLink {
  let connection: WebSocketConnection | undefined;
  let holders = 0;
  let used = new AbortController();
  const close = (): void => {
    connection?.close();
    connection = undefined;
  };
  const linger = (): void => {
    const signal = AbortSignal.any([used.signal, closed]);
    clock.sleep(LINGER_MS, { signal }).then(close, () => undefined); // Rejects when it is used again.
  };
  closed.addEventListener("abort", close, { once: true });
  return {
    hold(use) {
      holders += 1;
      used.abort();
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holders -= 1;
        if (holders > 0) return;
        used = new AbortController();
        if (use === "stream") close();
        else linger();
      };
    },
    async connect(signal) {
      signal.throwIfAborted();
      if (!connection || connection.over.aborted) connection = open();
      const opening = connection;
      await untilAborted(opening.welcomed, signal);
      return opening;
    },
  };
}
