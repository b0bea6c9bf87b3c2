import type { Interval } from "./intervals.ts";
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

/** The number of columns that must each be in view: with zoom, a person sees a line one side at a time. */
export const COLUMNS = 8;

/** The lines of an element that count as seen, for each column. */
export type SeenColumns = readonly SeenLines[];

export interface WideView extends View {
  /** The horizontal stretch in view. */
  readonly across: Interval;
}

/** Browsers round positions. */
const TOLERANCE_PX = 1;

export const NO_COLUMN_SEEN: SeenColumns = Array.from({ length: COLUMNS }, () => NOTHING_SEEN);

/** Adds the view at `now`, in milliseconds. */
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

/** Whether a line in view has not stayed long enough yet. */
export function hasNew(columns: SeenColumns, now: number): boolean {
  return columns.some((lines) => isNew(lines, now));
}

/** Counts everything in view as having stayed. */
export function keepColumns(columns: SeenColumns): SeenColumns {
  return columns.map(keepInView);
}

/** A stretch that does not count as seen. */
export interface Gap {
  readonly column: number;
  readonly stretch: Interval;
}

/** The first gap from the top. */
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

/** Counts a gap as seen, and the gaps in other columns with the same beginning. */
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
