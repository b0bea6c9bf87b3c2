import { framesOf } from "./visible-part.ts";

/** Enough steps to notice that something else has moved the element. */
const THRESHOLDS = [0, 0.25, 0.5, 0.75, 1];

/**
 * Calls `onMove` in the next frame, and in every later one in which the element may have moved, been resized or been
 * covered. `inNextFrame` requests another call. A hidden page has no frames.
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
  // The siblings of an element, and of each scroll area around it, can move it.
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
