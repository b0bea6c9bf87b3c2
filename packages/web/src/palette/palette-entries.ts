/** The groups in their order. */
export type PaletteGroup = "Waiting for you" | "Sessions" | "Archived" | "Actions";

/** An action or a destination in the palette. */
export interface PaletteEntry {
  readonly key: string;
  readonly group: PaletteGroup;
  readonly name: string;
  /** The location, or the effect. */
  readonly detail?: string;
  readonly run: () => void;
}

/** The most entries shown at once. A longer search text leaves fewer. */
const MAX_SHOWN = 50;

/**
 * The entries that contain every word, in the order of their groups. Within a group, names that begin with the typed
 * text come first.
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

/** Entries by group. */
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
