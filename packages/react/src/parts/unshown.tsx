import { createContext, use, useCallback, useId, useLayoutEffect, useState } from "react";

/** What can be done about a part that only has to be brought into view. */
export interface UnshownMoves {
  readonly show: () => void;
  /** Takes it as seen. Only where it cannot be brought into view, and only for a press on words that say so. */
  readonly goOn?: (() => void) | undefined;
}

/** A part of a card that is not shown whole. */
export interface Unshown {
  /** How to see it, such as "Open all 84 lines to allow". */
  readonly words: string;
  readonly moves?: UnshownMoves | undefined;
}

export type UnshownReport = (part: string, unshown: Unshown | undefined) => void;

/** Takes notice of each part that is not shown whole. Absent: nobody asks. */
export const UnshownContext = createContext<UnshownReport | undefined>(undefined);

/**
 * Says of a part of a card that not all of it is shown, and how to see it. Without `words` all of it is shown. What is
 * not shown cannot be allowed.
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
 * The first part below the context's provider that is not shown whole, and the provider's value. What has to be opened
 * comes before what has to be scrolled to.
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
