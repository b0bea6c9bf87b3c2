import {
  findUnseen,
  isNew,
  keepInView,
  NOTHING_SEEN,
  seeLines,
  STAY_MS,
  takeAsSeen,
  type View,
} from "./seen-lines.ts";
import type { UiClock } from "./ui-clock.tsx";
import { framesOf, visibleStretch } from "./visible-stretch.ts";
import { watchMoves } from "./watch-moves.ts";

/** `seen`: every line is or has been in view. `stuck`: the next line cannot be scrolled into view. */
export type ViewState = "unseen" | "stuck" | "seen";

interface WatchViewOptions {
  /** What may stand over the lower end of the view, such as actions that stick to the bottom. */
  readonly cover: HTMLElement | null;
  readonly clock: Pick<UiClock, "schedule">;
  readonly onState: (state: ViewState) => void;
}

export interface ViewWatch {
  /** Takes what is in view now as seen, and scrolls to the first line that has not been in view. */
  readonly show: () => void;
  /** Takes the lines that cannot be scrolled into view as seen. */
  readonly goOn: () => void;
  readonly stop: () => void;
}

/** So much of what was seen before stays in view above the rest. */
const OVERLAP_PX = 32;

const DOUBLE_CLICK_MS = 500;

/** Of all elements that are followed: when a person goes on from what is in view, it counts as seen. */
const keepers = new Set<() => void>();

/**
 * Follows which lines of an element have been in view: in the window, inside of everything that scrolls or clips it, and
 * not behind its cover. A line counts while it is in view, and for good once it was there for `STAY_MS`. Lines added at the
 * end are unseen.
 */
export function watchView(element: HTMLElement, options: WatchViewOptions): ViewWatch {
  const { cover, clock } = options;
  let lines = NOTHING_SEEN;
  let state: ViewState = "unseen";
  /** The beginning of a gap that could not be scrolled into view, and since when that is known. */
  let stuck = { at: NaN, since: 0 };
  let missedAt: number | undefined;
  let cancel: (() => void) | undefined;

  const tell = (next: ViewState): void => {
    if (next === state) return;
    state = next;
    options.onState(next);
  };
  const look = (): void => {
    if (element.getClientRects().length === 0) return;
    const now = performance.now();
    lines = seeLines(lines, toView(element, cover), now);
    cancel?.();
    if (isNew(lines, now)) cancel = clock.schedule(STAY_MS, moves.inNextFrame);
    const gap = findUnseen(lines);
    if (gap === undefined) tell("seen");
    else if (gap[0] !== stuck.at) tell("unseen");
  };
  const keep = (): void => {
    look();
    lines = keepInView(lines);
  };
  const show = (): void => {
    for (const one of keepers) one();
    const gap = findUnseen(lines);
    if (gap === undefined) return;
    const [place] = gap;
    scrollTo(element, place);
    const wasInView = isInView(toView(element, cover), place);
    // One frame to scroll, one to look.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        look();
        if (findUnseen(lines)?.[0] !== place) return;
        // It may have been scrolled away in between, but not twice.
        if (wasInView && missedAt !== place) missedAt = place;
        else {
          stuck = { at: place, since: performance.now() };
          tell("stuck");
        }
      }),
    );
  };
  const goOn = (): void => {
    const gap = findUnseen(lines);
    if (state !== "stuck" || gap === undefined || isDoubleClick(stuck.since)) return;
    lines = takeAsSeen(lines, gap);
    look();
  };
  const stop = (): void => {
    keepers.delete(keep);
    cancel?.();
    moves.stop();
  };
  const moves = watchMoves(element, cover, look);
  keepers.add(keep);
  return { show, goOn, stop };
}

/** Whether a click may be the second half of one on what stood there before. */
function isDoubleClick(since: number): boolean {
  return performance.now() - since < DOUBLE_CLICK_MS;
}

function isInView({ inView: [from, to] }: View, place: number): boolean {
  return from <= place && place < to;
}

function toView(element: HTMLElement, cover: HTMLElement | null): View {
  const { top: start, width, height } = element.getBoundingClientRect();
  const [top, bottom] = visibleStretch(element, cover);
  return { width, height, inView: [Math.max(0, top - start), Math.min(height, bottom - start)] };
}

/** Scrolls all that scrolls, so that the place in the element stands near to the upper end. */
function scrollTo(element: Element, place: number): void {
  const isBelow = (top: number) => element.getBoundingClientRect().top + place - OVERLAP_PX - top;
  for (const frame of framesOf(element)) {
    frame.scrollBy({ top: isBelow(frame.getBoundingClientRect().top), behavior: "instant" });
  }
  window.scrollBy({ top: isBelow(0), behavior: "instant" });
}
