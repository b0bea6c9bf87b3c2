import { endsStream } from "../stream-end.ts";
import { withinTimeout, type TimeoutOptions } from "../within-timeout.ts";
import type { WebSocketConnection } from "./websocket-connection.ts";
import { createFrameQueue, type FrameQueue } from "./websocket-frame-queue.ts";
import type { IdleConnection, WebSocketLink } from "./websocket-link.ts";

export interface WebSocketStreamOptions extends TimeoutOptions {
  readonly link: WebSocketLink;
  /** Unique within the transport. */
  readonly subscriptionId: string;
  /** The frames that begin and end the subscription, without `subscriptionId`. */
  readonly subscribe: object;
  readonly unsubscribe: object;
  readonly signal: AbortSignal;
}

/**
 * Yields the frames of one subscription in batches. The first batch is empty and shows that the subscription is open.
 * Returns after a `closing` frame, rejects when the connection or subscription breaks or the reader is too slow, and
 * always unsubscribes.
 */
export async function* followWebSocketStream<TFrame extends { readonly type: string }>(
  options: WebSocketStreamOptions,
): AsyncGenerator<readonly TFrame[]> {
  const { link, subscriptionId, subscribe, signal, closed } = options;
  signal.throwIfAborted();
  const queue = createFrameQueue<TFrame>();
  const release = link.hold(closeAtOnce);
  let unsubscribe: (() => void) | undefined;
  const leave = (): void => {
    unsubscribe?.();
    release();
  };
  signal.addEventListener("abort", leave, { once: true });
  try {
    await withinTimeout(options, signal, async (opening) => {
      const connection = await link.connect(opening);
      unsubscribe = listen(connection, queue, options);
      const frame = { ...subscribe, subscriptionId };
      await connection.ask(frame, { signal: opening });
    });
    yield [];
    const ending = AbortSignal.any([signal, closed]);
    for (;;) {
      const batch = await queue.next(ending);
      yield batch;
      if (endsStream(batch)) return;
    }
  } finally {
    signal.removeEventListener("abort", leave);
    leave();
  }
}

/** Fills the queue from the connection until the returned function is called or the queue is full. */
function listen<TFrame extends { readonly type: string }>(
  connection: WebSocketConnection,
  queue: FrameQueue<TFrame>,
  { subscriptionId, unsubscribe }: WebSocketStreamOptions,
): () => void {
  let isListening = true;
  const leave = (): void => {
    if (!isListening) return;
    isListening = false;
    stop();
    connection.tell({ ...unsubscribe, subscriptionId });
  };
  const stop = connection.listen(subscriptionId, {
    receive: (frame, characters) => {
      if (!queue.push(frame as TFrame, characters)) leave();
    },
    fail: (error) => queue.fail(error),
  });
  return leave;
}

/**
 * Closes an idle connection at once, because the gateway shows connected clients, and because the next stream must not
 * use a connection that died unnoticed.
 */
function closeAtOnce({ close }: IdleConnection): void {
  close();
}
