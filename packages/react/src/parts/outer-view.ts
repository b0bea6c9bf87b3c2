import type { UiClock } from "./ui-clock.tsx";
import type { Box } from "./visible-stretch.ts";

/** How often it is looked at: a browser tells of it once for each element that is newly observed, and of moves hardly. */
const LOOK_MS = 100;

const NOWHERE: Box = { top: 0, bottom: 0, left: 0, right: 0 };

/** Of a page in a frame, what the pages around it let be seen of its window. Of any other page, the whole of it. */
export interface OuterView extends Disposable {
  /** Nothing until the browser has told. */
  clip(part: Box): Box;
  /** Runs once a scroll has been drawn and `clip` knows of it. */
  afterScroll(run: () => void): void;
}

const NO_FRAME: OuterView = {
  clip: (part) => part,
  // One frame to scroll, one to look.
  afterScroll: (run) => void requestAnimationFrame(() => requestAnimationFrame(run)),
  [Symbol.dispose]: () => undefined,
};

/** `onChange` is called each time that another part of the window can be seen. */
export function openOuterView(clock: Pick<UiClock, "schedule">, onChange: () => void): OuterView {
  if (window === window.top) return NO_FRAME;
  let seen = NOWHERE;
  let cancel: (() => void) | undefined;
  const probe = document.createElement("div");
  probe.ariaHidden = "true";
  const look = { position: "fixed", inset: "0", visibility: "hidden", pointerEvents: "none" };
  Object.assign(probe.style, look);
  const observer = new IntersectionObserver(([entry]) => {
    // All pages around it clip this, also those of other origins.
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
