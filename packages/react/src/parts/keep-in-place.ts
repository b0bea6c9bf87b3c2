import { framesOf, isLaidOut } from "./visible-part.ts";

/** A list that measures its rows moves them again in the following frames. */
const FRAMES = 2;

/**
 * Keeps an element in place on the screen while content above or below it opens or closes. Scrolls everything around
 * it, and if that is not enough, adds room below `around`. Call it before the change, and the returned function after
 * it.
 */
export function keepInPlace(element: HTMLElement, around: HTMLElement): () => void {
  if (!isLaidOut()) return () => undefined;
  const { top } = element.getBoundingClientRect();
  const moved = (): number => Math.round(element.getBoundingClientRect().top - top);
  const hold = (): void => {
    scrollBack(element, moved);
    const rest = moved();
    if (rest <= 0) return;
    around.style.marginBottom = `${rest + parseFloat(around.style.marginBottom || "0")}px`;
    scrollBack(element, moved);
  };
  return () => {
    around.style.marginBottom = "";
    hold();
    const sizes = new ResizeObserver(() => {
      sizes.disconnect();
      hold();
    });
    sizes.observe(element);
    let left = FRAMES;
    const next = (): void => {
      hold();
      left -= 1;
      if (left > 0) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  };
}

function scrollBack(element: HTMLElement, moved: () => number): void {
  for (const frame of [...framesOf(element), window]) {
    const by = moved();
    if (by !== 0) frame.scrollBy({ top: by, behavior: "instant" });
  }
}
