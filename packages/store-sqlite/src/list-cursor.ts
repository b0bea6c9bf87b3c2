/** Where a row stands in a list: its instant, then its id. */
export interface ListPosition {
  readonly atMs: number;
  readonly id: string;
}

export function toListCursor({ atMs, id }: ListPosition): string {
  return `${atMs}/${id}`;
}

/** `undefined` for a text that is not the cursor of a list. */
export function parseListCursor(cursor: string): ListPosition | undefined {
  const match = /^(-?\d{1,16})\/(.*)$/s.exec(cursor);
  return match?.[2] === undefined ? undefined : { atMs: Number(match[1]), id: match[2] };
}
