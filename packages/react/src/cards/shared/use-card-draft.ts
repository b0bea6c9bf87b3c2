import type { DraftStorage } from "@holdpoint/client";
import { useCallback, useState } from "react";

interface DraftOptions<T> {
  readonly drafts: DraftStorage;
  /** The interaction's id. */
  readonly key: string;
  readonly initial: T;
  /** Returns a stored draft, or undefined if it no longer fits the request. */
  readonly parse: (stored: unknown) => T | undefined;
}

/** State that is stored on every change, and restored when a card is mounted with the same key. */
export function useCardDraft<T>({
  drafts,
  key,
  initial,
  parse,
}: DraftOptions<T>): readonly [draft: T, change: (next: T) => void] {
  const [draft, setDraft] = useState<T>(() => parse(readJson(drafts, key)) ?? initial);
  const change = useCallback(
    (next: T) => {
      setDraft(next);
      drafts.write(key, JSON.stringify(next));
    },
    [drafts, key],
  );
  return [draft, change];
}

function readJson(drafts: DraftStorage, key: string): unknown {
  const text = drafts.read(key);
  if (text === undefined || text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Written by another version or another program: start with an empty draft.
    return undefined;
  }
}
