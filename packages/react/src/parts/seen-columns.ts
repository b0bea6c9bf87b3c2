import {
  findUnseen,
  isNew,
  keepInView,
  NOTHING_SEEN,
  seeLines,
  takeAsSeen,
  type SeenLines,
  type View,
} from "./seen-lines.ts";
import type { Stretch } from "./stretches.ts";

/** A person who has zoomed in sees one side of a line and then the other: each of so many columns has to be in view. */
export const COLUMNS = 8;

/** Which lines of an element count as seen, column by column. */
export type SeenColumns = readonly SeenLines[];

export interface WideView extends View {
  /** From where to where across it is in view. */
  readonly across: Stretch;
}

/** Browsers round positions. */
const TOLERANCE_PX = 1;

export const NO_COLUMN_SEEN: SeenColumns = Array.from({ length: COLUMNS }, () => NOTHING_SEEN);

/** Goes on to what is in view `now`, in milliseconds. */
export function seeColumns(columns: SeenColumns, view: WideView, now: number): SeenColumns {
  return columns.map((lines, column) => seeLines(lines, toColumn(view, column), now));
}

function toColumn(view: WideView, column: number): View {
  const [left, right] = view.across;
  const size = view.width / COLUMNS;
  const from = column * size;
  const isWhole = from >= left - TOLERANCE_PX && from + size <= right + TOLERANCE_PX;
  return isWhole ? view : { ...view, inView: [0, 0] };
}

/** Whether something in view has not stayed yet. */
export function hasNew(columns: SeenColumns, now: number): boolean {
  return columns.some((lines) => isNew(lines, now));
}

/** Takes what is in view as what has stayed. */
export function keepColumns(columns: SeenColumns): SeenColumns {
  return columns.map(keepInView);
}

/** A part that does not count as seen. */
export interface Gap {
  readonly column: number;
  /** Where it begins, and ends. */
  readonly stretch: Stretch;
}

/** The first one, from above. */
export function findGap(columns: SeenColumns): Gap | undefined {
  const gaps = columns.flatMap((lines, column) => {
    const stretch = findUnseen(lines);
    return stretch ? [{ column, stretch }] : [];
  });
  return gaps.toSorted((one, other) => one.stretch[0] - other.stretch[0])[0];
}

/** Whether both begin at the same place. */
export function isSameGap(one: Gap, other: Gap | undefined): boolean {
  return one.column === other?.column && one.stretch[0] === other.stretch[0];
}

/** Takes a gap as seen, and what is missing beside its beginning. */
export function takeGap(columns: SeenColumns, { stretch }: Gap): SeenColumns {
  return columns.map((lines) =>
    findUnseen(lines)?.[0] === stretch[0] ? takeAsSeen(lines, stretch) : lines,
  );
}

/** Whether the beginning of the gap is in view. */
export function isGapInView(view: WideView, { column, stretch: [place] }: Gap): boolean {
  const [from, to] = toColumn(view, column).inView;
  return from <= place && place < to;
}
