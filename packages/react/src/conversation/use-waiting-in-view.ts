import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";

import { findCard, interactionIdAround, isInOpenCard, worksInCard } from "./card-focus.ts";
import type { TranscriptVirtualizer } from "./use-transcript-virtualizer.ts";
import type { WaitingRow } from "./waiting-rows.ts";

/** The position that the transcript keeps: its end, the first pending card, or the person's own. */
type KeptPosition = "end" | "waiting" | "own";

/** Scrolling input, and presses: nothing may move under a press. */
const GESTURES = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/**
 * Keeps the first pending card in view. If following the end would scroll its beginning out of view, it is moved to the
 * top instead and stays there while rows grow, since a question is read from its first line. This happens before
 * painting, so that nothing moves under a finger that is about to press. It stops once the person scrolls or works in a
 * card, until that card is answered. Call the returned function before scrolling in another way.
 */
export function useFirstWaitingInView(
  waiting: readonly WaitingRow[],
  virtualizer: TranscriptVirtualizer["virtualizer"],
): () => void {
  const ids = waiting.map(({ interactionId }) => interactionId);
  const newest = ids.at(-1);
  const first = waiting[0]?.index;
  const place = useRef<KeptPosition>("end");
  const isOnItsWay = useRef(false);
  const onGesture = useAnsweredCard(ids, () => {
    place.current = "end";
    virtualizer.scrollToEnd();
  });
  useLayoutEffect(() => {
    if (place.current === "own" || worksInCard(virtualizer.scrollElement)) return;
    place.current = newest === undefined ? "end" : "waiting";
  }, [newest, virtualizer]);
  useLayoutEffect(() => {
    const align = (): void => {
      if (place.current !== "waiting" || first === undefined) return;
      if (isOnItsWay.current || worksInCard(virtualizer.scrollElement)) return;
      moveInView(virtualizer, first);
    };
    align();
    // Again once all rows are measured.
    const frame = requestAnimationFrame(align);
    return () => cancelAnimationFrame(frame);
  });
  useEffect(() => {
    if (place.current === "own" && virtualizer.isAtEnd()) place.current = "end";
  });
  useEffect(() => {
    const element = virtualizer.scrollElement;
    if (element === null) return undefined;
    const leave = (event: Event): void => {
      place.current = "own";
      onGesture(event);
    };
    // While the focus moves between two controls of a card, it is nowhere for a moment.
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
  }, [virtualizer, onGesture]);
  return useCallback(() => {
    place.current = "own";
    onGesture(undefined);
  }, [onGesture]);
}

/** Scrolls the beginning of the row to the top, or to the end if less than a screen follows the row's beginning. */
function moveInView(virtualizer: TranscriptVirtualizer["virtualizer"], index: number): void {
  const start = virtualizer.measurementsCache[index]?.start ?? 0;
  const viewport = virtualizer.scrollRect?.height ?? 0;
  if (viewport === 0) return;
  if (virtualizer.getTotalSize() - start <= viewport) {
    if (!virtualizer.isAtEnd(1)) virtualizer.scrollToEnd();
  } else if (Math.abs((virtualizer.scrollOffset ?? 0) - start) >= 1) {
    virtualizer.scrollToIndex(index, { align: "start" });
  }
}

/**
 * Calls `onAnswered` when the card of the person's last gesture is no longer pending, and neither is any other card
 * they have seen: the next thing of interest is at the end. Returns a function to call with each gesture.
 */
function useAnsweredCard(
  pending: readonly string[],
  onAnswered: () => void,
): (gesture: Event | undefined) => void {
  const before = useRef<readonly string[]>([]);
  const workedIn = useRef<string>(undefined);
  useLayoutEffect(() => {
    const seen = before.current;
    before.current = pending;
    const isOver =
      seen.some((id) => id === workedIn.current) && !pending.some((id) => seen.includes(id));
    if (isOver) onAnswered();
  });
  return useCallback((gesture) => {
    const isScroll = gesture?.type === "wheel" || gesture?.type === "touchmove";
    workedIn.current = isScroll ? undefined : interactionIdAround(gesture?.target ?? null);
  }, []);
}

/** Focuses a card once, as soon as it is drawn. */
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
