import {
  defaultRangeExtractor,
  useVirtualizer,
  type ReactVirtualizer,
} from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from "react";

import { worksInCard } from "./card-focus.ts";
import { estimateRowHeight } from "./estimate-row-height.ts";
import type { TranscriptRow } from "./transcript-rows.ts";

/** Within this distance of the end, new rows keep the end in view. */
const FOLLOW_DISTANCE_PX = 80;
/** Room above the first row for the button that loads earlier ones. */
const PADDING_TOP_PX = 32;
const PADDING_BOTTOM_PX = 24;

export interface TranscriptVirtualizer {
  readonly virtualizer: ReactVirtualizer<HTMLDivElement, HTMLDivElement>;
  /**
   * To be called when the focus enters a row (with its index) or leaves all rows (`undefined`). While the person
   * `works` in the row, nothing scrolls automatically.
   */
  readonly onFocusRow: (index: number | undefined, works: boolean) => void;
}

/**
 * Draws only the rows in view. Starts at the end, and follows it while the person is there. Keeps the view in place
 * when earlier rows are added, and keeps the focused row in the document, so that typing never loses its field.
 */
export function useTranscriptVirtualizer(
  rows: readonly TranscriptRow[],
  scrollRef: RefObject<HTMLDivElement | null>,
): TranscriptVirtualizer {
  const [focused, setFocused] = useState<{ readonly key: string; readonly works: boolean }>();
  const focusedIndex =
    focused === undefined ? -1 : rows.findIndex(({ key }) => key === focused.key);
  // A card that the person works in stays in place, no matter what grows above or in it, or is added after it.
  const isHeld = focusedIndex !== -1 && focused?.works === true;

  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised on its result
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: (index) => {
      const row = rows[index];
      return row === undefined ? 0 : estimateRowHeight(row);
    },
    getItemKey: (index) => rows[index]?.key ?? index,
    anchorTo: "end",
    followOnAppend: !isHeld,
    scrollEndThreshold: isHeld ? -1 : FOLLOW_DISTANCE_PX,
    overscan: 6,
    paddingStart: PADDING_TOP_PX,
    paddingEnd: PADDING_BOTTOM_PX,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      if (focusedIndex === -1 || indexes.includes(focusedIndex)) return indexes;
      return [...indexes, focusedIndex].toSorted((a, b) => a - b);
    },
  });

  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = isHeld
    ? ({ index }) => index < focusedIndex
    : undefined;

  const opened = useRef(false);
  useLayoutEffect(() => {
    if (opened.current || rows.length === 0) return;
    opened.current = true;
    virtualizer.scrollToEnd();
  }, [virtualizer, rows.length]);

  useEndKeptOnResize(scrollRef, virtualizer);

  const onFocusRow = useCallback(
    (index: number | undefined, works: boolean) => {
      const key = index === undefined ? undefined : rows[index]?.key;
      setFocused(key === undefined ? undefined : { key, works });
    },
    [rows],
  );
  return { virtualizer, onFocusRow };
}

/** Keeps the end in view when the area below the transcript grows, as with typed text or queued messages. */
function useEndKeptOnResize(
  scrollRef: RefObject<HTMLDivElement | null>,
  virtualizer: TranscriptVirtualizer["virtualizer"],
): void {
  useLayoutEffect(() => {
    const element = scrollRef.current;
    if (element === null || globalThis.ResizeObserver === undefined) return undefined;
    let height = element.clientHeight;
    const observer = new ResizeObserver(() => {
      const lost = height - element.clientHeight;
      height = element.clientHeight;
      // A keyboard opened for a field of a card also takes room, but then the browser keeps the field in view.
      if (lost > 0 && !worksInCard(element) && virtualizer.isAtEnd(FOLLOW_DISTANCE_PX + lost)) {
        virtualizer.scrollToEnd();
      }
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scrollRef, virtualizer]);
}
