import type { ProtocolError } from "@holdpoint/protocol";

import { createBrowserClock } from "../lib/browser-clock.ts";
import type { Clock } from "../lib/clock.ts";
import { isPageVisible } from "../lib/is-page-visible.ts";
import { createBrowserRandomness, type Randomness } from "../lib/randomness.ts";
import { type Connection, createFollowLoop, type FollowLoopOptions } from "./follow-loop.ts";
import { createSnapshotCell, type SnapshotSource } from "./snapshot-source.ts";

/** The connection state in the snapshot of every store. */
export interface ConnectionSnapshot {
  readonly connection: Connection;
  /** The error that ended all tries, such as `UNAUTHENTICATED`. */
  readonly error?: ProtocolError;
}

export interface FollowedSourceOptions<
  TFrame extends { readonly type: string },
  TContent,
> extends Pick<FollowLoopOptions<TFrame>, "open" | "receive"> {
  /** The content before anything is received. */
  readonly initial: TContent;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  readonly randomness?: Randomness | undefined;
  /** Default: whether the page is visible. */
  readonly isWatched?: (() => boolean) | undefined;
}

/** A snapshot that a stream keeps up to date, from the first listener until it is disposed. */
export interface FollowedSource<TContent>
  extends SnapshotSource<TContent & ConnectionSnapshot>, AsyncDisposable {
  /** Replaces the content. Listeners are not called if it is shallowly equal. */
  readonly show: (content: TContent) => void;
  /** Connects now instead of after a wait, even after an error. Replaces an open connection in case it is dead. */
  readonly refresh: () => void;
}

/** Creates the common part of the session store and the overview store. */
export function createFollowedSource<
  TFrame extends { readonly type: string },
  TContent extends object,
>(options: FollowedSourceOptions<TFrame, TContent>): FollowedSource<TContent> {
  const { initial, open, receive } = options;
  const { clock = createBrowserClock(), randomness = createBrowserRandomness() } = options;
  const { isWatched = isPageVisible } = options;
  let content = initial;
  let status: ConnectionSnapshot = { connection: "connecting" };
  const cell = createSnapshotCell<TContent & ConnectionSnapshot>({ ...content, ...status });
  const loop = createFollowLoop<TFrame>({
    clock,
    randomness,
    isWatched,
    open,
    receive,
    onConnection(connection, error) {
      if (status.connection === connection && status.error === error) return;
      status = { connection, ...(error && { error }) };
      cell.set({ ...content, ...status });
    },
  });
  return {
    getSnapshot: cell.getSnapshot,
    subscribe(listener) {
      loop.start();
      return cell.subscribe(listener);
    },
    show(next) {
      if (isShallowEqual(content, next)) return;
      content = next;
      cell.set({ ...content, ...status });
    },
    refresh: () => loop.refresh(),
    [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose](),
  };
}

function isShallowEqual<T extends object>(one: T, other: T): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof T>;
  return [...keys].every((key) => one[key] === other[key]);
}
