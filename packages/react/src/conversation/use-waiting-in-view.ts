import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

import { findCard } from "./card-focus.ts";
import type { TranscriptVirtualizer } from "./use-transcript-virtualizer.ts";
import type { WaitingRow } from "./waiting-rows.ts";

/**
 * Where following the end would scroll the beginning of what waits out of view, the first card that waits comes to
 * the top instead: a question is read from its first line. Somebody who has scrolled up is left alone.
 */
export function useFirstWaitingInView(
  waiting: readonly WaitingRow[],
  virtualizer: TranscriptVirtualizer["virtualizer"],
): void {
  const newest = waiting.at(-1)?.interactionId;
  const first = waiting[0]?.index;
  useEffect(() => {
    if (newest === undefined || first === undefined) return undefined;
    // Two frames: the first measures the new row, the second has its size.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        const start = virtualizer.measurementsCache[first]?.start ?? 0;
        const viewport = virtualizer.scrollRect?.height ?? 0;
        if (!virtualizer.isAtEnd() || virtualizer.getTotalSize() - start <= viewport) return;
        virtualizer.scrollToIndex(first, { align: "start" });
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [newest, first, virtualizer]);
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
