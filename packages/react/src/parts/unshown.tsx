import { createContext, use, useCallback, useId, useLayoutEffect, useState } from "react";

/** The actions for a part that only has to be scrolled into view. */
export interface UnshownMoves {
  readonly show: () => void;
  /** Counts the part as seen. Only if it cannot be scrolled into view, and only for a press on a button for this. */
  readonly goOn?: (() => void) | undefined;
}

/** A part of a card that is not shown in full. */
export interface Unshown {
  /** The way to see it, such as "Open all 84 lines to allow". */
  readonly words: string;
  readonly moves?: UnshownMoves | undefined;
}

export type UnshownReport = (part: string, unshown: Unshown | undefined) => void;

/** Receives each part that is not shown in full. Absent: not required here. */
export const UnshownContext = createContext<UnshownReport | undefined>(undefined);

/**
 * Reports a part of a card as not shown in full, with the way to see it; without `words`, as shown. A card with a part
 * that is not shown cannot be allowed.
 */
export function useUnshown(words: string | undefined, moves?: UnshownMoves): void {
  const report = use(UnshownContext);
  const part = useId();
  useLayoutEffect(() => {
    report?.(part, words === undefined ? undefined : { words, moves });
  }, [report, part, words, moves]);
  useLayoutEffect(() => () => report?.(part, undefined), [report, part]);
}

/**
 * The first part that is not shown in full, and the value for `UnshownContext`. Parts to open come before parts to
 * scroll to.
 */
export function useUnshownParts(): readonly [unshown: Unshown | undefined, report: UnshownReport] {
  const [parts, setParts] = useState<ReadonlyMap<string, Unshown>>(new Map());
  const report = useCallback<UnshownReport>((part, unshown) => {
    setParts((before) => {
      const after = new Map(before);
      if (unshown !== undefined) after.set(part, unshown);
      else if (!after.delete(part)) return before;
      return after;
    });
  }, []);
  const all = [...parts.values()];
  return [all.find(({ moves }) => moves === undefined) ?? all[0], report];
}
