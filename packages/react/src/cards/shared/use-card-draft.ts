import type { DraftStorage } from "@holdpoint/client";
import { useCallback, useState } from "react";

interface DraftOptions<T> {
  readonly drafts: DraftStorage;
  /** The interaction's id. */
  readonly key: string;
  readonly initial: T;
  /** A stored draft, or undefined where it no longer fits what is asked. */
  readonly parse: (stored: unknown) => T | undefined;
}

/** State that is stored on every change, and found again when a card is mounted under the same key. */
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
