import { untilAborted } from "../until-aborted.ts";
import type { WebSocketConnection } from "./websocket-connection.ts";

export interface WebSocketLinkOptions {
  readonly open: () => WebSocketConnection;
  /** Aborts when the owner is disposed. */
  readonly closed: AbortSignal;
}

/** The single connection of a transport. It exists while it is in use, and is reopened on demand. */
export interface WebSocketLink {
  /** Keeps the connection open until the returned function is called. The last holder's `onIdle` then runs. */
  hold(onIdle: (idle: IdleConnection) => void): () => void;
  /** Resolves to the current connection once it is welcomed. Rejects like `welcomed`, and with the signal's reason. */
  connect(signal: AbortSignal): Promise<WebSocketConnection>;
}

/** A connection without holders. */
export interface IdleConnection {
  /** Aborts when the connection is used again, and when the owner is disposed. */
  readonly over: AbortSignal;
  readonly close: () => void;
}

export function createWebSocketLink({ open, closed }: WebSocketLinkOptions): WebSocketLink {
  let connection: WebSocketConnection | undefined;
  let holders = 0;
  let used = new AbortController();
  const close = (): void => {
    connection?.close();
    connection = undefined;
  };
  closed.addEventListener("abort", close, { once: true });
  return {
    hold(onIdle) {
      holders += 1;
      used.abort();
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holders -= 1;
        if (holders > 0) return;
        used = new AbortController();
        onIdle({ over: AbortSignal.any([used.signal, closed]), close });
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
