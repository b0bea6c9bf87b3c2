import { createBrowserClock } from "../lib/browser-clock.ts";
import type { Clock } from "../lib/clock.ts";
import { createMemoryDrafts, type DraftStorage } from "./drafts.ts";

const PREFIX = "holdpoint.draft.";
const MAX_DRAFTS = 100;

interface StoredDraft {
  readonly savedAtMs: number;
  readonly value: string;
}

export interface BrowserDraftsOptions {
  readonly clock?: Pick<Clock, "now">;
  /** The number of drafts to keep. The oldest ones are dropped first. Default 100. */
  readonly maxDrafts?: number;
}

/**
 * Keeps drafts in the origin's storage. When it is full, the oldest stored drafts are dropped. A draft that cannot be
 * stored lives as long as the page.
 */
export function createBrowserDrafts(
  storage: Storage,
  { clock = createBrowserClock(), maxDrafts = MAX_DRAFTS }: BrowserDraftsOptions = {},
): DraftStorage {
  const unstored = createMemoryDrafts();
  const remove = (key: string): void => {
    unstored.remove(key);
    attempt(() => storage.removeItem(PREFIX + key));
  };
  return {
    read: (key) => unstored.read(key) ?? attempt(() => parse(storage.getItem(PREFIX + key)))?.value,
    write(key, value) {
      remove(key);
      if (value === "") return;
      const text = JSON.stringify({ savedAtMs: clock.now(), value } satisfies StoredDraft);
      const isStored = attempt(() => {
        prune(storage, maxDrafts - 1);
        return storeOrMakeRoom(storage, PREFIX + key, text);
      });
      if (!isStored) unstored.write(key, value);
    },
    remove,
  };
}

/** Drops the older half of the drafts until the text fits. Returns `false` if it still does not fit without drafts. */
function storeOrMakeRoom(storage: Storage, key: string, text: string): boolean {
  for (;;) {
    if (attempt(() => (storage.setItem(key, text), true))) return true;
    const keys = keysByAge(storage);
    if (keys.length === 0) return false;
    prune(storage, Math.floor(keys.length / 2));
  }
}

function prune(storage: Storage, keep: number): void {
  const keys = keysByAge(storage);
  for (const key of keys.slice(0, Math.max(0, keys.length - keep))) storage.removeItem(key);
}

function keysByAge(storage: Storage): string[] {
  const keys = Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? "")
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ key, savedAtMs: parse(storage.getItem(key))?.savedAtMs ?? 0 }));
  return keys.toSorted((one, other) => one.savedAtMs - other.savedAtMs).map(({ key }) => key);
}

function parse(text: string | null): StoredDraft | undefined {
  const draft = attempt(() => JSON.parse(text ?? "null") as Partial<StoredDraft> | null);
  if (typeof draft?.value !== "string" || typeof draft.savedAtMs !== "number") return undefined;
  return { value: draft.value, savedAtMs: draft.savedAtMs };
}

/** Returns `undefined` on errors. Storage throws if it is full, forbidden or gone, which must not break the page. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
