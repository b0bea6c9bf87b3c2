/** The place of a row in a list. */
export interface Position {
  readonly atMs: number;
  readonly id: string;
}

export function byTime(a: Position, b: Position): number {
  return a.atMs - b.atMs || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** One page of rows, in the order given by `compare`. */
export function toPage<TRow, TItem>(
  rows: Iterable<TRow>,
  { cursor, limit }: { cursor?: string; limit: number },
  list: {
    positionOf: (row: TRow) => Position;
    compare: (a: Position, b: Position) => number;
    toItem: (row: TRow) => TItem;
  },
): { items: TItem[]; nextCursor?: string } {
  const start = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor !== undefined && !start) return { items: [] };
  const following = [...rows]
    .map((row) => ({ row, position: list.positionOf(row) }))
    .filter(({ position }) => !start || list.compare(position, start) > 0)
    .toSorted((a, b) => list.compare(a.position, b.position));
  const shown = following.slice(0, Math.max(limit, 0));
  const last = shown.at(-1);
  return {
    items: shown.map(({ row }) => list.toItem(row)),
    ...(last && shown.length < following.length && { nextCursor: toCursor(last.position) }),
  };
}

function toCursor({ atMs, id }: Position): string {
  return `${atMs}/${id}`;
}

/** `undefined` for a text that is not a cursor. */
function parseCursor(cursor: string): Position | undefined {
  const match = /^(-?\d{1,16})\/(.*)$/s.exec(cursor);
  return match?.[2] === undefined ? undefined : { atMs: Number(match[1]), id: match[2] };
}
