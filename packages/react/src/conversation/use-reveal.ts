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
}

/** Brings an item into view and marks it, once for each: then the person may scroll on. */
export function useReveal(key: string | undefined, options: RevealOptions): void {
  const { rows, virtualizer } = options;
  const current = useRef(options);
  // It may come into being only once the steps around it are open.
  const index = key === undefined ? -1 : rows.findIndex((row) => row.key === key);
  const isThere = index !== -1;
  const place = useRef(index);
  useEffect(() => {
    current.current = options;
    place.current = index;
  });
  useEffect(() => {
    const { onFound, toggleSteps, view } = current.current;
    onFound(key);
    if (key === undefined || place.current !== -1) return;
    for (const call of callsAround(view, key)) toggleSteps(call, true);
  }, [key]);
  useEffect(() => {
    if (isThere) virtualizer.scrollToIndex(place.current, { align: "center" });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- once for each place
  }, [virtualizer, key, isThere]);
  useEffect(() => () => current.current.onFound(undefined), []);
}
