import type { DraftStorage } from "@holdpoint/client";
import { useCallback, useLayoutEffect, useRef, useState } from "react";

interface DraftOptions<T> {
  readonly drafts: DraftStorage;
  /** The interaction's id. */
  readonly key: string;
  readonly initial: T;
  /** Returns a stored draft, or undefined if it does not fit the request. */
  readonly parse: (stored: unknown) => T | undefined;
  /** Returns the part of the draft that is stored. Default: all of it. */
  readonly toStored?: (draft: T) => unknown;
}

/** The draft of an interaction with at least one card on the page. */
interface SharedDraft {
  value: unknown;
  readonly cards: Set<(value: never) => void>;
}

const shared = new WeakMap<DraftStorage, Map<string, SharedDraft>>();

/**
 * State that all cards of one interaction share. It is stored on every change, and found again when a card is mounted
 * under the same key.
 */
export function useCardDraft<T>({
  drafts,
  key,
  initial,
  parse,
  toStored,
}: DraftOptions<T>): readonly [draft: T, change: (next: T) => void] {
  const [draft, setDraft] = useState<T>(() => {
    const open = draftsOf(drafts).get(key);
    return open ? (open.value as T) : (parse(readJson(drafts, key)) ?? initial);
  });
  const first = useRef(draft);
  useLayoutEffect(() => {
    const all = draftsOf(drafts);
    const open = all.get(key) ?? { value: first.current, cards: new Set() };
    all.set(key, open);
    open.cards.add(setDraft);
    // oxlint-disable-next-line react/set-state-in-effect -- another card may have changed it since this one was drawn
    setDraft(open.value as T);
    return () => {
      open.cards.delete(setDraft);
      if (open.cards.size === 0) all.delete(key);
    };
  }, [drafts, key]);
  const change = useCallback(
    (next: T) => {
      drafts.write(key, JSON.stringify(toStored ? toStored(next) : next));
      const open = draftsOf(drafts).get(key);
      if (open) open.value = next;
      for (const set of open?.cards ?? []) (set as (value: T) => void)(next);
    },
    [drafts, key, toStored],
  );
  return [draft, change];
}

function draftsOf(drafts: DraftStorage): Map<string, SharedDraft> {
  const all = shared.get(drafts) ?? new Map<string, SharedDraft>();
  shared.set(drafts, all);
  return all;
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
