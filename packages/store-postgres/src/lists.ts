import { type ListPosition, parseListCursor, toListCursor } from "@holdpoint/store-sqlite/rows";

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/** A row with its position in its list. */
export interface Placed<T> {
  readonly item: T;
  readonly position: ListPosition;
}

/** The position before the first row of a list with the newest row first. */
export const NEWEST: ListPosition = { atMs: Number.MAX_SAFE_INTEGER, id: "" };
/** The position before the first row of a list with the oldest row first. */
export const OLDEST: ListPosition = { atMs: Number.MIN_SAFE_INTEGER, id: "" };

/**
 * Returns the page after a cursor. `read` fetches one row more than the limit, to detect whether there is a next page.
 */
export async function listPage<T>(
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
  beginning: ListPosition,
  read: (start: ListPosition, count: number) => Promise<readonly Placed<T>[]>,
): Promise<Page<T>> {
  const start = cursor === undefined ? beginning : parseListCursor(cursor);
  if (!start) return { items: [] };
  const count = Math.max(limit, 0);
  const rows = await read(start, count + 1);
  const shown = rows.slice(0, count);
  const last = shown.at(-1);
  return {
    items: shown.map(({ item }) => item),
    ...(last && rows.length > count && { nextCursor: toListCursor(last.position) }),
  };
}
