/** Keeps unsent texts of a person across reloads. Never throws. */
export interface DraftStorage {
  read(key: string): string | undefined;
  /** An empty value removes the draft. */
  write(key: string, value: string): void;
  remove(key: string): void;
}

/** Creates a storage that keeps drafts in memory. */
export function createMemoryDrafts(): DraftStorage {
  const drafts = new Map<string, string>();
  return {
    read: (key) => drafts.get(key),
    write: (key, value) => void (value === "" ? drafts.delete(key) : drafts.set(key, value)),
    remove: (key) => void drafts.delete(key),
  };
}
