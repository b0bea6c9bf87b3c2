/** A row's position in a list: its time, then its id. */
export interface ListPosition {
  readonly atMs: number;
  readonly id: string;
}

export function toListCursor({ atMs, id }: ListPosition): string {
  return `${atMs}/${id}`;
}

/** Returns `undefined` for a text that is not a list cursor. */
export function parseListCursor(cursor: string): ListPosition | undefined {
  const match = /^(-?\d{1,16})\/(.*)$/s.exec(cursor);
  return match?.[2] === undefined ? undefined : { atMs: Number(match[1]), id: match[2] };
}
