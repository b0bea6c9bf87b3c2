/** In their order. */
export type PaletteGroup = "Waiting for you" | "Sessions" | "Archived" | "Actions";

/** What the palette can do or go to. */
export interface PaletteEntry {
  readonly key: string;
  readonly group: PaletteGroup;
  readonly name: string;
  /** Where it is, or what it does. */
  readonly detail?: string;
  readonly run: () => void;
}

/** So many are shown at once; with more words fewer are left. */
const MAX_SHOWN = 50;

/**
 * The entries that have every word, in the order of their groups; within a group those first whose name begins with what was
 * typed.
 */
export function findEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const text = toComparable(typed).trim();
  const words = text.split(/\s+/u);
  const found = entries.filter(({ name, detail = "" }) => {
    const own = toComparable(`${name} ${detail}`);
    return words.every((word) => own.includes(word));
  });
  const begins = ({ name }: PaletteEntry): boolean => toComparable(name).startsWith(text);
  const groups = [...new Set(entries.map(({ group }) => group))];
  return groups
    .flatMap((group) => {
      const own = found.filter((entry) => entry.group === group);
      return [...own.filter(begins), ...own.filter((entry) => !begins(entry))];
    })
    .slice(0, MAX_SHOWN);
}

/** Entries with those of their group. */
export function toGroups(entries: readonly PaletteEntry[]): {
  readonly value: PaletteGroup;
  readonly items: readonly PaletteEntry[];
}[] {
  const groups = [...new Set(entries.map(({ group }) => group))];
  return groups.map((value) => ({ value, items: entries.filter(({ group }) => group === value) }));
}

function toComparable(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
