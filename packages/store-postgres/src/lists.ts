import { type ListPosition, parseListCursor, toListCursor } from "@holdpoint/store-sqlite/rows";

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/** A row and where it stands in its list. */
export interface Placed<T> {
  readonly item: T;
  readonly position: ListPosition;
}

/** Before the first row of a list whose newest row is the first. */
export const NEWEST: ListPosition = { atMs: Number.MAX_SAFE_INTEGER, id: "" };
/** Before the first row of a list whose oldest row is the first. */
export const OLDEST: ListPosition = { atMs: Number.MIN_SAFE_INTEGER, id: "" };

/** A page of rows after a cursor; `read` is asked for one row more than is shown, to know whether there is more. */
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
