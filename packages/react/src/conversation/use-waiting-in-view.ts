import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";

import { findCard, worksInCard } from "./card-focus.ts";
import type { TranscriptVirtualizer } from "./use-transcript-virtualizer.ts";
import type { WaitingRow } from "./waiting-rows.ts";

/**
 * Where following the end would scroll the beginning of what waits out of view, the first card that waits comes to
 * the top instead: a question is read from its first line. Before it is painted, so that nothing moves under a finger
 * that is about to press. Somebody who has scrolled up, or works in a card, is left alone.
 */
export function useFirstWaitingInView(
  waiting: readonly WaitingRow[],
  virtualizer: TranscriptVirtualizer["virtualizer"],
): void {
  const newest = waiting.at(-1)?.interactionId;
  const first = waiting[0]?.index;
  // Of the commit before: what has just come has moved the end away.
  const wasAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (newest === undefined || first === undefined) return undefined;
    if (!wasAtEnd.current || worksInCard(virtualizer.scrollElement)) return undefined;
    const align = (): void => {
      const start = virtualizer.measurementsCache[first]?.start ?? 0;
      const viewport = virtualizer.scrollRect?.height ?? 0;
      if (viewport === 0 || virtualizer.getTotalSize() - start <= viewport) return;
      virtualizer.scrollToIndex(first, { align: "start" });
    };
    align();
    // Once more when all of it is measured.
    const frame = requestAnimationFrame(align);
    return () => cancelAnimationFrame(frame);
  }, [newest, first, virtualizer]);
  useEffect(() => {
    wasAtEnd.current = virtualizer.isAtEnd();
  });
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
