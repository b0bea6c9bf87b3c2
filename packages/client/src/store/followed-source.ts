import type { ProtocolError } from "@holdpoint/protocol";

import { createBrowserClock } from "../lib/browser-clock.ts";
import type { Clock } from "../lib/clock.ts";
import { isPageVisible } from "../lib/is-page-visible.ts";
import { createBrowserRandomness, type Randomness } from "../lib/randomness.ts";
import { type Connection, createFollowLoop, type FollowLoopOptions } from "./follow-loop.ts";
import { createSnapshotCell, type SnapshotSource } from "./snapshot-source.ts";

/** What the snapshot of every store says of its connection. */
export interface ConnectionSnapshot {
  readonly connection: Connection;
  /** Why nothing is tried any more, such as `UNAUTHENTICATED`. */
  readonly error?: ProtocolError;
}

export interface FollowedSourceOptions<
  TFrame extends { readonly type: string },
  TContent,
> extends Pick<FollowLoopOptions<TFrame>, "open" | "receive"> {
  /** What is shown before anything was received. */
  readonly initial: TContent;
  /** Default: the machine's time. */
  readonly clock?: Clock | undefined;
  readonly randomness?: Randomness | undefined;
  /** Default: whether the page is visible. */
  readonly isWatched?: (() => boolean) | undefined;
}

/** A snapshot that a stream keeps up to date, from its first listener until it is disposed. */
export interface FollowedSource<TContent>
  extends SnapshotSource<TContent & ConnectionSnapshot>, AsyncDisposable {
  /** Shows other content; content that is the same is not announced. */
  readonly show: (content: TContent) => void;
  /** Connects now instead of after a wait, also after an error; replaces a connection that may be dead. */
  readonly refresh: () => void;
}

/** What the session store and the overview store have in common. */
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
