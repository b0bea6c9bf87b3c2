import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";

import { findCard, isInOpenCard, worksInCard } from "./card-focus.ts";
import type { TranscriptVirtualizer } from "./use-transcript-virtualizer.ts";
import type { WaitingRow } from "./waiting-rows.ts";

/** Where the transcript stands by itself: at its end, at the first card that waits, or where the person left it. */
type Place = "end" | "waiting" | "own";

/** What a person scrolls with; and a press, under which nothing may move: what it is meant for is where it is now. */
const GESTURES = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/**
 * Where following the end would scroll the beginning of what waits out of view, the first card that waits comes to
 * the top instead, and stays there while rows grow: a question is read from its first line. Before it is painted, so
 * that nothing moves under a finger that is about to press. Somebody who has scrolled, or works in a card, is left
 * alone; what is returned is for those who scroll by other means.
 */
export function useFirstWaitingInView(
  waiting: readonly WaitingRow[],
  virtualizer: TranscriptVirtualizer["virtualizer"],
): () => void {
  const newest = waiting.at(-1)?.interactionId;
  const first = waiting[0]?.index;
  const place = useRef<Place>("end");
  const isOnItsWay = useRef(false);
  useLayoutEffect(() => {
    if (place.current === "own" || worksInCard(virtualizer.scrollElement)) return;
    place.current = newest === undefined ? "end" : "waiting";
  }, [newest, virtualizer]);
  useLayoutEffect(() => {
    const align = (): void => {
      if (place.current !== "waiting" || first === undefined) return;
      if (isOnItsWay.current || worksInCard(virtualizer.scrollElement)) return;
      const total = virtualizer.getTotalSize();
      const start = virtualizer.measurementsCache[first]?.start ?? 0;
      const viewport = virtualizer.scrollRect?.height ?? 0;
      if (viewport === 0 || total - start <= viewport) return;
      if (Math.abs((virtualizer.scrollOffset ?? 0) - start) < 1) return;
      virtualizer.scrollToIndex(first, { align: "start" });
    };
    align();
    // Once more when all of it is measured.
    const frame = requestAnimationFrame(align);
    return () => cancelAnimationFrame(frame);
  });
  useEffect(() => {
    if (place.current === "own" && virtualizer.isAtEnd()) place.current = "end";
  });
  useEffect(() => {
    const element = virtualizer.scrollElement;
    if (element === null) return undefined;
    const leave = (): void => {
      place.current = "own";
    };
    // On its way from one control of a card to another the focus is nowhere for a moment.
    const depart = ({ relatedTarget }: FocusEvent): void => {
      isOnItsWay.current = isInOpenCard(relatedTarget);
    };
    const arrive = (): void => {
      isOnItsWay.current = false;
    };
    for (const type of GESTURES) element.addEventListener(type, leave, { passive: true });
    element.addEventListener("focusout", depart);
    element.addEventListener("focusin", arrive);
    return () => {
      element.removeEventListener("focusout", depart);
      element.removeEventListener("focusin", arrive);
      for (const type of GESTURES) element.removeEventListener(type, leave);
    };
  }, [virtualizer]);
  return useCallback(() => {
    place.current = "own";
  }, []);
}

/** Focus for a card that may not be drawn yet: it gets focus as soon as it is, once. */
export function useCardFocus(scrollRef: RefObject<HTMLDivElement | null>): (id: string) => void {
  const [, render] = useState(0);
  const wanted = useRef<string>(undefined);
  // oxlint-disable-next-line react/exhaustive-deps -- the card may be drawn by any later render
  useEffect(() => {
    if (wanted.current === undefined) return;
    const card = findCard(scrollRef.current, wanted.current);
    if (card === null) return;
    wanted.current = undefined;
    card.focus({ preventScroll: true });
  });
  return useCallback((id) => {
    wanted.current = id;
    render((count) => count + 1);
  }, []);
}
