import { addStretch, findGap, type Stretch } from "./stretches.ts";

/** `seen`: every line has been in view. `stuck`: the next line cannot be scrolled into view. */
export type ViewState = "unseen" | "stuck" | "seen";

interface WatchViewOptions {
  /** What may stand over the lower end of the view, such as actions that stick to the bottom. */
  readonly cover: HTMLElement | null;
  readonly onState: (state: ViewState) => void;
}

export interface ViewWatch {
  /** Scrolls to the first line that has not been in view. */
  readonly show: () => void;
  /** Takes the lines that cannot be scrolled into view as seen. */
  readonly goOn: () => void;
  readonly stop: () => void;
}

/** Enough steps to notice that something else has moved the element. */
const THRESHOLDS = [0, 0.25, 0.5, 0.75, 1];
/** So much of what was seen before stays in view above the rest. */
const OVERLAP_PX = 32;

/**
 * Follows which lines of an element have been in view: in the window, inside of everything that scrolls or clips it, and
 * not behind its cover. A line counts when a frame was drawn with it in view. Lines added at the end are unseen.
 */
export function watchView(element: HTMLElement, options: WatchViewOptions): ViewWatch {
  const { cover } = options;
  let stretches: readonly Stretch[] = [];
  let width = 0;
  let state: ViewState = "unseen";
  /** The beginning of a gap that could not be scrolled into view. */
  let stuckAt: number | undefined;

  const tell = (next: ViewState): void => {
    if (next === state) return;
    state = next;
    options.onState(next);
  };
  const look = (): void => {
    if (element.getClientRects().length === 0) return;
    const box = element.getBoundingClientRect();
    if (Math.abs(box.width - width) > 1) {
      // The lines break elsewhere: which of them were in view is known only if all were.
      stretches = state === "seen" ? [[0, box.height]] : [];
      width = box.width;
    }
    const [top, bottom] = visibleStretch(element, cover);
    const from = Math.max(0, top - box.top);
    stretches = addStretch(stretches, [from, Math.min(box.height, bottom - box.top)]);
    const gap = findGap(stretches, box.height);
    if (gap === undefined) tell("seen");
    else if (gap[0] !== stuckAt) tell("unseen");
  };
  const gapNow = () => findGap(stretches, element.getBoundingClientRect().height);
  const show = (): void => {
    const gap = gapNow();
    if (gap === undefined) return;
    scrollTo(element, gap[0]);
    // One frame to scroll, one to look.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        look();
        if (gapNow()?.[0] !== gap[0]) return;
        stuckAt = gap[0];
        tell("stuck");
      }),
    );
  };
  const goOn = (): void => {
    const gap = gapNow();
    if (state !== "stuck" || gap === undefined) return;
    stretches = addStretch(stretches, gap);
    look();
  };
  return { show, goOn, stop: onMoves(element, cover, look) };
}

/**
 * Calls `onMove` with the next frame, and with each later one in which the element may have moved, changed its size or
 * been covered. Returns what ends that.
 */
export function onMoves(
  element: HTMLElement,
  cover: HTMLElement | null,
  onMove: () => void,
): () => void {
  let frame = 0;
  const onChange = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(onMove);
  };
  onChange();
  const aborted = new AbortController();
  const { signal } = aborted;
  window.addEventListener("scroll", onChange, { signal, capture: true, passive: true });
  window.addEventListener("resize", onChange, { signal });
  window.visualViewport?.addEventListener("resize", onChange, { signal });
  window.visualViewport?.addEventListener("scroll", onChange, { signal });
  const sizes = new ResizeObserver(onChange);
  sizes.observe(element);
  if (cover !== null) sizes.observe(cover);
  const places = new IntersectionObserver(onChange, { threshold: THRESHOLDS });
  places.observe(element);
  return () => {
    cancelAnimationFrame(frame);
    aborted.abort();
    sizes.disconnect();
    places.disconnect();
  };
}

/** From where to where on the screen a part of the element could be seen. */
export function visibleStretch(element: HTMLElement, cover: HTMLElement | null): Stretch {
  const { visualViewport } = window;
  let top = visualViewport?.offsetTop ?? 0;
  let bottom = top + (visualViewport?.height ?? window.innerHeight);
  for (const frame of framesOf(element)) {
    const box = frame.getBoundingClientRect();
    top = Math.max(top, box.top);
    bottom = Math.min(bottom, box.bottom);
  }
  if (cover !== null) bottom = Math.min(bottom, cover.getBoundingClientRect().top);
  return [top, bottom];
}

/** What clips an element or scrolls around it, from the inside. What `html` and `body` say of overflow applies to the window. */
export function framesOf(element: Element): readonly Element[] {
  const root = element.getRootNode();
  const parent = element.parentElement ?? (root instanceof ShadowRoot ? root.host : undefined);
  if (parent === undefined || parent === document.body) return [];
  const clips = getComputedStyle(parent).overflowY !== "visible";
  return [...(clips ? [parent] : []), ...framesOf(parent)];
}

/** Scrolls all that scrolls, so that the place in the element stands near to the upper end. */
function scrollTo(element: Element, place: number): void {
  const isBelow = (top: number) => element.getBoundingClientRect().top + place - OVERLAP_PX - top;
  for (const frame of framesOf(element)) {
    frame.scrollBy({ top: isBelow(frame.getBoundingClientRect().top), behavior: "instant" });
  }
  window.scrollBy({ top: isBelow(0), behavior: "instant" });
}

let wasLaidOut = false;

/**
 * Whether anything can be in view at all. Tests run cards in documents without a layout. A document that had one once
 * is not asked again: an answer takes a layout of everything that has changed.
 */
export function isLaidOut(): boolean {
  wasLaidOut ||= document.documentElement.getBoundingClientRect().width > 0;
  return wasLaidOut;
}
