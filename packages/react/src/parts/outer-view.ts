import type { UiClock } from "./ui-clock.tsx";
import type { Box } from "./visible-part.ts";

/** How often the probe is observed again: browsers report a newly observed element once, but hardly any movement. */
const LOOK_MS = 100;

const NOWHERE: Box = { top: 0, bottom: 0, left: 0, right: 0 };

/** For a page in a frame: the visible part of its window, as clipped by the pages around it. Otherwise: all of it. */
export interface OuterView extends Disposable {
  /** The visible part of a box; empty until the browser has reported. */
  clip(part: Box): Box;
  /** Runs once a scroll has been drawn and `clip` has been updated. */
  afterScroll(run: () => void): void;
}

const NO_FRAME: OuterView = {
  clip: (part) => part,
  // One frame to scroll, and one to observe.
  afterScroll: (run) => void requestAnimationFrame(() => requestAnimationFrame(run)),
  [Symbol.dispose]: () => undefined,
};

/** Calls `onChange` whenever the visible part of the window has changed. */
export function openOuterView(clock: Pick<UiClock, "schedule">, onChange: () => void): OuterView {
  if (window === window.top) return NO_FRAME;
  let seen = NOWHERE;
  let cancel: (() => void) | undefined;
  const probe = document.createElement("div");
  probe.ariaHidden = "true";
  const look = { position: "fixed", inset: "0", visibility: "hidden", pointerEvents: "none" };
  Object.assign(probe.style, look);
  const observer = new IntersectionObserver(([entry]) => {
    // The intersection is clipped by all pages around this one, including those with other origins.
    const { top, bottom, left, right } = entry?.intersectionRect ?? NOWHERE;
    const isSame = [seen.top - top, seen.bottom - bottom, seen.left - left, seen.right - right];
    seen = { top, bottom, left, right };
    if (!isSame.every((by) => by === 0)) onChange();
    observer.unobserve(probe);
    cancel = clock.schedule(LOOK_MS, () => observer.observe(probe));
  });
  document.documentElement.append(probe);
  observer.observe(probe);
  return {
    clip: (part) => ({
      top: Math.max(part.top, seen.top),
      bottom: Math.min(part.bottom, seen.bottom),
      left: Math.max(part.left, seen.left),
      right: Math.min(part.right, seen.right),
    }),
    afterScroll: (run) => void clock.schedule(3 * LOOK_MS, run),
    [Symbol.dispose]() {
      cancel?.();
      observer.disconnect();
      probe.remove();
    },
  };
}
