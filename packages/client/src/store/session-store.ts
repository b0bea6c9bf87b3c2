import type { ProtocolError, SessionFrame } from "@holdpoint/protocol";

import { createBrowserClock } from "../lib/browser-clock.ts";
import type { Clock } from "../lib/clock.ts";
import { createBrowserRandomness } from "../lib/randomness.ts";
import type { Randomness } from "../lib/randomness.ts";
import type { Transport } from "../transports/transport.ts";
import { applyFrames, createSessionView, prependEvents } from "../view/session-view-reducer.ts";
import type { SessionView } from "../view/session-view.ts";
import { createFollowLoop } from "./follow-loop.ts";
import type { Connection } from "./follow-loop.ts";
import { loadSessionView } from "./session-loader.ts";
import { createSnapshotCell } from "./snapshot-source.ts";
import type { SnapshotSource } from "./snapshot-source.ts";

export interface SessionSnapshot {
  readonly view: SessionView;
  /** The view is a whole one: its newest events were loaded once. Before that it is empty. */
  readonly loaded: boolean;
  readonly connection: Connection;
  /** Why nothing is tried any more, such as `UNAUTHENTICATED` or `NOT_FOUND`. */
  readonly error?: ProtocolError;
}

export interface SessionStoreOptions {
  readonly transport: Transport;
  readonly sessionId: string;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** How many events are loaded at once. Default 200. */
  readonly pageSize?: number;
}

/**
 * One session, kept up to date. Begins with the first subscriber: loads the newest events and what waits, then
 * follows; reconnects by cursor, so that nothing is missed or shown twice, and starts anew when the gateway's
 * history has changed. Goes on without subscribers until it is disposed.
 */
export interface SessionStore extends SnapshotSource<SessionSnapshot>, AsyncDisposable {
  /** Loads one more page; resolves at once when there is none. Rejects as `Transport.readEvents` does. */
  loadEarlier(): Promise<void>;
  /** Connects now instead of after a wait, also after an error; replaces a connection that may be dead. */
  refresh(): void;
}

export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const { transport, sessionId, pageSize = 200 } = options;
  const { clock = createBrowserClock(), randomness = createBrowserRandomness() } = options;
  const cell = createSnapshotCell<SessionSnapshot>({
    view: createSessionView(),
    loaded: false,
    connection: "connecting",
  });
  const closed = new AbortController();
  let isStale = true;
  let loadingEarlier: Promise<void> | undefined;

  const setView = (view: SessionView): void => {
    const snapshot = cell.getSnapshot();
    if (view !== snapshot.view || !snapshot.loaded) cell.set({ ...snapshot, view, loaded: true });
  };
  const receive = (batch: readonly SessionFrame[]): "go_on" | "reopen" => {
    isStale = batch.some(({ type }) => type === "reset");
    if (isStale) return "reopen"; // Loading the newest page beats replaying the whole of another history.
    const { view, gap } = applyFrames(cell.getSnapshot().view, batch);
    setView(view);
    return gap ? "reopen" : "go_on";
  };
  const loop = createFollowLoop<SessionFrame>({
    clock,
    randomness,
    async *open(signal) {
      if (isStale) {
        setView(await loadSessionView(transport, sessionId, { pageSize, signal }));
        isStale = false;
      }
      const { epoch, lastSeq } = cell.getSnapshot().view;
      const cursor = { seq: lastSeq, ...(epoch !== undefined && { epoch }) };
      yield* transport.followSession(sessionId, cursor, { signal });
    },
    receive,
    onConnection(connection, error) {
      const { error: _, ...snapshot } = cell.getSnapshot();
      if (snapshot.connection === connection && error === cell.getSnapshot().error) return;
      cell.set({ ...snapshot, connection, ...(error && { error }) });
    },
  });
  const loadPage = async (): Promise<void> => {
    const { view } = cell.getSnapshot();
    if (!view.hasEarlier) return;
    const { epoch, firstSeq } = view;
    const page = await transport.readEvents(
      sessionId,
      { before: firstSeq, limit: pageSize },
      { signal: closed.signal },
    );
    const now = cell.getSnapshot().view;
    if (now.epoch !== epoch || now.firstSeq !== firstSeq || page.epoch !== epoch) return;
    const hasEarlier = (page.items[0]?.seq ?? 1) > 1;
    const { view: longer, gap } = prependEvents(now, page.items, hasEarlier);
    setView(longer);
    if (!gap) return;
    isStale = true;
    loop.refresh();
  };
  return {
    getSnapshot: cell.getSnapshot,
    subscribe(listener) {
      loop.start();
      return cell.subscribe(listener);
    },
    loadEarlier: () =>
      (loadingEarlier ??= loadPage().finally(() => {
        loadingEarlier = undefined;
      })),
    refresh: () => loop.refresh(),
    async [Symbol.asyncDispose]() {
      closed.abort();
      await loop[Symbol.asyncDispose]();
    },
  };
}
