import { framesOf } from "./visible-stretch.ts";

/** Enough steps to notice that something else has moved the element. */
const THRESHOLDS = [0, 0.25, 0.5, 0.75, 1];

/**
 * Calls `onMove` with the next frame, and with each later one in which the element may have moved, changed its size or
 * been covered. Returns what ends that, and what calls it in the next frame: a hidden page has none.
 */
export function watchMoves(
  element: HTMLElement,
  cover: HTMLElement | null,
  onMove: () => void,
): { readonly stop: () => void; readonly inNextFrame: () => void } {
  let frame = 0;
  const inNextFrame = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(onMove);
  };
  inNextFrame();
  const aborted = new AbortController();
  const { signal } = aborted;
  window.addEventListener("scroll", inNextFrame, { signal, capture: true, passive: true });
  window.addEventListener("resize", inNextFrame, { signal });
  window.visualViewport?.addEventListener("resize", inNextFrame, { signal });
  window.visualViewport?.addEventListener("scroll", inNextFrame, { signal });
  const sizes = new ResizeObserver(inNextFrame);
  sizes.observe(element);
  if (cover !== null) sizes.observe(cover);
  // What stands beside the element moves it, and that of what scrolls around it.
  for (const frame of framesOf(element)) {
    for (const part of [frame, ...frame.children]) sizes.observe(part);
  }
  const places = new IntersectionObserver(inNextFrame, { threshold: THRESHOLDS });
  places.observe(element);
  return {
    inNextFrame,
    stop() {
      cancelAnimationFrame(frame);
      aborted.abort();
      sizes.disconnect();
      places.disconnect();
    },
  };
}
