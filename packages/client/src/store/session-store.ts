import type { Cursor, SessionFrame } from "@holdpoint/protocol";

import type { Clock } from "../lib/clock.ts";
import type { Randomness } from "../lib/randomness.ts";
import type { Transport } from "../transports/transport.ts";
import {
  applyFrames,
  createSessionState,
  prependEvents,
  type SessionState,
} from "../view/session-state.ts";
import type { SessionView } from "../view/session-view.ts";
import { type ConnectionSnapshot, createFollowedSource } from "./followed-source.ts";
import { loadSessionState } from "./session-loader.ts";
import type { SnapshotSource } from "./snapshot-source.ts";

export interface SessionSnapshot extends ConnectionSnapshot {
  readonly view: SessionView;
  /** Whether the newest events have been loaded once. Until they are, the view is empty. */
  readonly loaded: boolean;
}

export interface SessionStoreOptions {
  readonly transport: Transport;
  readonly sessionId: string;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** Whether a person is watching. If so, a lost connection is retried every second. Default: the page is visible. */
  readonly isWatched?: () => boolean;
  /** The number of events to load at once. Default 200. */
  readonly pageSize?: number;
}

/**
 * One session, kept up to date. Starts with the first subscriber: loads the newest events and the open interactions,
 * then follows. Reconnects by cursor, so that nothing is missed or shown twice, and loads everything again when
 * the gateway's history has changed. Continues without subscribers until it is disposed.
 */
export interface SessionStore extends SnapshotSource<SessionSnapshot>, AsyncDisposable {
  /** Loads one more page of earlier events. Resolves at once if there is none. Rejects like `Transport.readEvents`. */
  loadEarlier(): Promise<void>;
  /** Connects now instead of after a wait, even after an error. Replaces an open connection in case it is dead. */
  refresh(): void;
}

export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const { transport, sessionId, pageSize = 200, clock, randomness, isWatched } = options;
  const closed = new AbortController();
  let state = createSessionState();
  let isStale = true;
  let loadingEarlier: Promise<void> | undefined;

  const source = createFollowedSource<SessionFrame, Pick<SessionSnapshot, "view" | "loaded">>({
    initial: { view: state.view, loaded: false },
    clock,
    randomness,
    isWatched,
    async *open(signal) {
      if (isStale) {
        show(await loadSessionState(transport, sessionId, { pageSize, signal }));
        isStale = false;
      }
      yield* transport.followSession(sessionId, cursorOf(state), { signal });
    },
    receive(batch) {
      isStale = batch.some(({ type }) => type === "reset");
      if (isStale) return "reopen"; // Loading the newest page is faster than replaying a whole new history.
      const result = applyFrames(state, batch);
      show(result.state);
      return result.gap ? "reopen" : "go_on";
    },
  });
  const show = (next: SessionState): void => {
    state = next;
    source.show({ view: state.view, loaded: true });
  };
  const loadPage = async (): Promise<void> => {
    const { epoch, firstSeq, hasEarlier } = state.view;
    if (!hasEarlier) return;
    const page = await transport.readEvents(
      sessionId,
      { before: firstSeq, limit: pageSize },
      { signal: closed.signal },
    );
    const { view } = state;
    if (view.epoch !== epoch || view.firstSeq !== firstSeq || page.epoch !== epoch) return;
    const result = prependEvents(state, page.items, (page.items[0]?.seq ?? 1) > 1);
    show(result.state);
    if (!result.gap) return;
    isStale = true;
    source.refresh();
  };
  return {
    getSnapshot: source.getSnapshot,
    subscribe: source.subscribe,
    loadEarlier: () =>
      (loadingEarlier ??= loadPage().finally(() => {
        loadingEarlier = undefined;
      })),
    refresh: source.refresh,
    async [Symbol.asyncDispose]() {
      closed.abort();
      await source[Symbol.asyncDispose]();
    },
  };
}

function cursorOf({ view: { epoch, lastSeq } }: SessionState): Cursor {
  return { seq: lastSeq, ...(epoch !== undefined && { epoch }) };
}
