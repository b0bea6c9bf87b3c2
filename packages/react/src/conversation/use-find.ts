import type { SessionView } from "@holdpoint/client";
import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

import type { TranscriptRow } from "./transcript-rows.ts";
import type { TranscriptVirtualizer } from "./use-transcript-virtualizer.ts";

interface FindOptions {
  readonly rows: readonly TranscriptRow[];
  readonly view: SessionView;
  readonly virtualizer: TranscriptVirtualizer["virtualizer"];
  readonly toggleSteps: (key: string, open: boolean) => void;
  readonly scrollRef: RefObject<HTMLElement | null>;
}

interface Find {
  readonly isOpen: boolean;
  /** The row that is marked. */
  readonly foundKey: string | undefined;
  readonly open: () => void;
  readonly close: () => void;
  readonly reveal: (key: string | undefined) => void;
}

/** The search in a conversation: whether it is open, and which place is in view and marked. */
export function useFind(options: FindOptions): Find {
  const { rows, view, virtualizer, toggleSteps, scrollRef } = options;
  const [isOpen, setIsOpen] = useState(false);
  const [foundKey, setFoundKey] = useState<string>();
  // It may come into being only once the steps around it are open.
  const index = foundKey === undefined ? -1 : rows.findIndex(({ key }) => key === foundKey);
  const isThere = index !== -1;
  const place = useRef(index);
  useEffect(() => {
    place.current = index;
  });
  useEffect(() => {
    if (isThere) virtualizer.scrollToIndex(place.current, { align: "center" });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- once for each place: then the person may scroll on
  }, [virtualizer, foundKey, isThere]);
  const reveal = (key: string | undefined): void => {
    setFoundKey(key);
    if (key === undefined || rows.some((row) => row.key === key)) return;
    void import("./find-text.ts").then(({ callsAround }) => {
      for (const call of callsAround(view, key)) toggleSteps(call, true);
    });
  };
  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => {
    setIsOpen(false);
    scrollRef.current?.focus();
  }, [scrollRef]);
  return { isOpen, foundKey, open, close, reveal };
}
