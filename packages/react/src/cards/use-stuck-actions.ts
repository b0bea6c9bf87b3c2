import { useEffect, useState, type RefObject } from "react";

/** How much of a card has to be in view before its actions may stand at the bottom of the screen. */
const SEEN_FIRST_PX = 220;

/**
 * Whether the actions of a long card may stick to the bottom of the screen. Not while the card only begins to come
 * into view: they would cover what they are about.
 */
export function useStuckActions(header: RefObject<HTMLElement | null>): boolean {
  const [stuck, setStuck] = useState(false);
  useEffect(() => {
    const element = header.current;
    if (element === null || globalThis.IntersectionObserver === undefined) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (entry === undefined) return;
        const passed = entry.boundingClientRect.bottom < (entry.rootBounds?.bottom ?? 0);
        setStuck(entry.isIntersecting || passed);
      },
      { rootMargin: `0px 0px -${SEEN_FIRST_PX}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [header]);
  return stuck;
}
