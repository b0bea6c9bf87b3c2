import type { SessionView } from "@holdpoint/client";
import { useEffect, useRef } from "react";

import { callsAround } from "./find-text.ts";
import type { TranscriptRow } from "./transcript-rows.ts";
import type { TranscriptVirtualizer } from "./use-transcript-virtualizer.ts";

export interface RevealOptions {
  readonly rows: readonly TranscriptRow[];
  readonly view: SessionView;
  readonly virtualizer: TranscriptVirtualizer["virtualizer"];
  readonly toggleSteps: (key: string, open: boolean) => void;
  /** Marks a row; `undefined` marks none. */
  readonly onFound: (key: string | undefined) => void;
  /** Called before an item is scrolled into view. */
  readonly onReveal: () => void;
}

const GESTURES = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/** Scrolls an item into view and marks it. Keeps it in view while earlier rows are added, until the person scrolls. */
export function useReveal(key: string | undefined, options: RevealOptions): void {
  const { rows, virtualizer } = options;
  const current = useRef(options);
  // The row may appear only once the sub-agents around it are open.
  const index = key === undefined ? -1 : rows.findIndex((row) => row.key === key);
  const hasLeft = useRef(false);
  const place = useRef(index);
  useEffect(() => {
    current.current = options;
    place.current = index;
  });
  useEffect(() => {
    const { onFound, toggleSteps, view } = current.current;
    hasLeft.current = false;
    onFound(key);
    if (key === undefined || place.current !== -1) return;
    for (const call of callsAround(view, key)) toggleSteps(call, true);
  }, [key]);
  useEffect(() => {
    if (index === -1 || hasLeft.current) return;
    current.current.onReveal();
    virtualizer.scrollToIndex(index, { align: "center" });
  }, [virtualizer, index]);
  useEffect(() => {
    const element = virtualizer.scrollElement;
    const leave = (): void => {
      hasLeft.current = true;
    };
    for (const type of GESTURES) element?.addEventListener(type, leave, { passive: true });
    return () => {
      for (const type of GESTURES) element?.removeEventListener(type, leave);
    };
  }, [virtualizer]);
  useEffect(() => () => current.current.onFound(undefined), []);
}
