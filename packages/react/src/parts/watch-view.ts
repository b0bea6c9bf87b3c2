import { openOuterView, type OuterView } from "./outer-view.ts";
import {
  COLUMNS,
  findGap,
  hasNew,
  isGapInView,
  isSameGap,
  keepColumns,
  NO_COLUMN_SEEN,
  seeColumns,
  takeGap,
  type Gap,
  type WideView,
} from "./seen-columns.ts";
import { STAY_MS } from "./seen-lines.ts";
import type { UiClock } from "./ui-clock.tsx";
import { framesOf, visiblePart } from "./visible-part.ts";
import { watchMoves } from "./watch-moves.ts";

/** `seen`: every line is or has been in view. `stuck`: the next line cannot be scrolled into view. */
export type ViewState = "unseen" | "stuck" | "seen";

interface WatchViewOptions {
  /** An element that may cover the lower end of the view, such as actions that stick to the bottom. */
  readonly cover: HTMLElement | null;
  readonly clock: Pick<UiClock, "schedule">;
  readonly onState: (state: ViewState) => void;
}

export interface ViewWatch {
  /** Counts everything in view as seen, and scrolls to the first line that has not been in view. */
  readonly show: () => void;
  /** Counts the lines that cannot be scrolled into view as seen. */
  readonly goOn: () => void;
  readonly stop: () => void;
}

/** How much of the previous view stays visible above the rest. */
const OVERLAP_PX = 32;

const DOUBLE_CLICK_MS = 500;

/** For all watched elements: counts the lines in view as seen when the person continues. */
const keepers = new Set<() => void>();

/**
 * Tracks which lines of an element have been in view: inside the visible part of the window and of everything that
 * scrolls or clips the element, and not behind its cover. A line counts while it is in view, and permanently after
 * `STAY_MS`. Lines added at the end are unseen.
 */
export function watchView(element: HTMLElement, options: WatchViewOptions): ViewWatch {
  const { cover, clock } = options;
  const outer = openOuterView(clock, () => moves.inNextFrame());
  const view = (): WideView => toView(element, cover, outer);
  let columns = NO_COLUMN_SEEN;
  let state: ViewState = "unseen";
  /** A gap that could not be scrolled into view, and the time when that was found. */
  let stuck: { readonly gap?: Gap; readonly since: number } = { since: 0 };
  let missed: Gap | undefined;
  let cancel: (() => void) | undefined;

  const tell = (next: ViewState): void => {
    if (next === state) return;
    state = next;
    options.onState(next);
  };
  const look = (): void => {
    if (element.getClientRects().length === 0) return;
    const now = performance.now();
    columns = seeColumns(columns, view(), now);
    cancel?.();
    if (hasNew(columns, now)) cancel = clock.schedule(STAY_MS, moves.inNextFrame);
    const gap = findGap(columns);
    if (gap === undefined) tell("seen");
    else if (!isSameGap(gap, stuck.gap)) tell("unseen");
  };
  const keep = (): void => {
    look();
    columns = keepColumns(columns);
  };
  const show = (): void => {
    for (const one of keepers) one();
    const gap = findGap(columns);
    if (gap === undefined) return;
    scrollTo(element, gap);
    const wasInView = isGapInView(view(), gap);
    outer.afterScroll(() => {
      look();
      if (!isSameGap(gap, findGap(columns))) return;
      // The person may have scrolled it away in between, but not twice.
      if (wasInView && !isSameGap(gap, missed)) missed = gap;
      else {
        stuck = { gap, since: performance.now() };
        tell("stuck");
      }
    });
  };
  const goOn = (): void => {
    const gap = findGap(columns);
    if (state !== "stuck" || gap === undefined || isDoubleClick(stuck.since)) return;
    columns = takeGap(columns, gap);
    look();
  };
  const stop = (): void => {
    keepers.delete(keep);
    cancel?.();
    outer[Symbol.dispose]();
    moves.stop();
  };
  const moves = watchMoves(element, cover, look);
  keepers.add(keep);
  return { show, goOn, stop };
}

/** Whether a click may be the second half of a double click on something else at the same place. */
function isDoubleClick(since: number): boolean {
  return performance.now() - since < DOUBLE_CLICK_MS;
}

function toView(element: HTMLElement, cover: HTMLElement | null, outer: OuterView): WideView {
  const { top: start, left: side, width, height } = element.getBoundingClientRect();
  const { top, bottom, left, right } = outer.clip(visiblePart(element, cover));
  const inView = [Math.max(0, top - start), Math.min(height, bottom - start)] as const;
  return { width, height, inView, across: [left - side, right - side] };
}

/** Scrolls everything around the element, and the visible part of the window, to the beginning of the gap. */
function scrollTo(element: HTMLElement, { column, stretch: [place] }: Gap): void {
  const { width } = element.getBoundingClientRect();
  const { left, right } = visiblePart(element, null);
  const from = (column * width) / COLUMNS;
  const to = from + Math.max(right - left, width / COLUMNS);
  element.style.scrollMargin = `${OVERLAP_PX - place}px ${Math.min(0, to - width)}px 0 ${-from}px`;
  // Only this also moves the visible part of a window that is zoomed in.
  element.scrollIntoView({ block: "start", inline: "nearest", behavior: "instant" });
  element.style.scrollMargin = "";
  const start = window.visualViewport?.offsetTop ?? 0;
  const isBelow = (top: number) =>
    element.getBoundingClientRect().top + place - OVERLAP_PX - Math.max(start, top);
  for (const frame of framesOf(element)) {
    frame.scrollBy({ top: isBelow(frame.getBoundingClientRect().top), behavior: "instant" });
  }
  window.scrollBy({ top: isBelow(0), behavior: "instant" });
}
