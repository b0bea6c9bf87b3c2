import { addInterval, findGap, type Interval } from "./intervals.ts";

/**
 * How long a line must stay in view to remain seen after it leaves. Shorter than the arming of Allow, so that lines
 * that were in view for a single frame, before the cards above had their height, can never be allowed.
 */
export const STAY_MS = 100;

/** The layout of an element, and the stretch of it that is in view. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly inView: Interval;
}

/** The lines of an element that count as seen: lines in view, and lines that stayed in view for `STAY_MS`. */
export interface SeenLines {
  readonly width: number;
  readonly height: number;
  readonly stayed: readonly Interval[];
  /** The stretches in view, by start time. Each contains the previous ones; the last is everything in view. */
  readonly inView: readonly { readonly since: number; readonly stretch: Interval }[];
}

export const NOTHING_SEEN: SeenLines = { width: 0, height: Infinity, stayed: [], inView: [] };

/** Adds the view at `now`, in milliseconds. */
export function seeLines(before: SeenLines, view: View, now: number): SeenLines {
  const { width, height } = view;
  const lines = Math.abs(width - before.width) > 1 ? breakElsewhere(before, view) : before;
  const [from, to] = view.inView;
  const inView = lines.inView.flatMap(({ since, stretch }) => {
    const still: Interval = [Math.max(from, stretch[0]), Math.min(to, stretch[1])];
    return still[0] < still[1] ? [{ since, stretch: still }] : [];
  });
  const last = inView.at(-1)?.stretch;
  if (from < to && (last?.[0] !== from || last[1] !== to)) {
    inView.push({ since: now, stretch: [from, to] });
  }
  // The last stretch that has stayed contains all others.
  const stays = inView.findLastIndex(({ since }) => now - since >= STAY_MS);
  const longest = inView[stays]?.stretch;
  const stayed = longest ? addInterval(lines.stayed, longest) : lines.stayed;
  return { width, height, stayed, inView: inView.slice(Math.max(0, stays)) };
}

/** At another width, lines break elsewhere: which of them were seen is known only if all were. */
function breakElsewhere({ stayed, height }: SeenLines, view: View): SeenLines {
  const isWhole = findGap(stayed, height) === undefined;
  return { ...view, stayed: isWhole ? [[0, view.height]] : [], inView: [] };
}

/** Whether a line in view has not stayed long enough yet. */
export function isNew({ inView }: SeenLines, now: number): boolean {
  return inView.some(({ since }) => now - since < STAY_MS);
}

/** Counts a stretch as having stayed. */
export function takeAsSeen(lines: SeenLines, stretch: Interval): SeenLines {
  return { ...lines, stayed: addInterval(lines.stayed, stretch) };
}

/** Counts everything in view as having stayed. */
export function keepInView(lines: SeenLines): SeenLines {
  const last = lines.inView.at(-1);
  return last ? takeAsSeen(lines, last.stretch) : lines;
}

/** The first stretch that does not count as seen. */
export function findUnseen(lines: SeenLines): Interval | undefined {
  return findGap(keepInView(lines).stayed, lines.height);
}
