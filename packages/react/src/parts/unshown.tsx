import { createContext, use, useCallback, useId, useLayoutEffect, useState } from "react";

export type UnshownReport = (part: string, words: string | undefined) => void;

/** Takes notice of each part that is not shown whole. Absent: nobody asks. */
export const UnshownContext = createContext<UnshownReport | undefined>(undefined);

/**
 * Says of a part of a card that not all of it is shown, and how to see it, such as "Open all 84 lines to allow".
 * `undefined`: all of it is shown. What is not shown cannot be allowed.
 */
export function useUnshown(words: string | undefined): void {
  const report = use(UnshownContext);
  const part = useId();
  useLayoutEffect(() => {
    report?.(part, words);
    return () => report?.(part, undefined);
  }, [report, part, words]);
}

/** What to say of the first part below the context's provider that is not shown whole; and the provider's value. */
export function useUnshownParts(): readonly [words: string | undefined, report: UnshownReport] {
  const [parts, setParts] = useState<ReadonlyMap<string, string>>(new Map());
  const report = useCallback<UnshownReport>((part, words) => {
    setParts((before) => {
      if (before.get(part) === words) return before;
      const after = new Map(before);
      if (words === undefined) after.delete(part);
      else after.set(part, words);
      return after;
    });
  }, []);
  const [words] = parts.values();
  return [words, report];
}
