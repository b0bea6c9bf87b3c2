import { addStretch, findGap, type Stretch } from "./stretches.ts";

/**
 * A line that leaves the view sooner is unseen again. Less than Allow takes to arm: what one frame alone had in view,
 * before the cards above it had their height, is never allowed.
 */
export const STAY_MS = 100;

/** An element as it is laid out, and from where to where it is in view. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly inView: Stretch;
}

/** Which lines of an element count as seen: those in view, and those that have stayed in view for `STAY_MS`. */
export interface SeenLines {
  readonly width: number;
  readonly height: number;
  readonly stayed: readonly Stretch[];
  /** What is in view, by since when. Each holds those before it; the last one is all that is in view. */
  readonly inView: readonly { readonly since: number; readonly stretch: Stretch }[];
}

export const NOTHING_SEEN: SeenLines = { width: 0, height: Infinity, stayed: [], inView: [] };

/** Goes on to what is in view `now`, in milliseconds. */
export function seeLines(before: SeenLines, view: View, now: number): SeenLines {
  const { width, height } = view;
  const lines = Math.abs(width - before.width) > 1 ? breakElsewhere(before, view) : before;
  const [from, to] = view.inView;
  const inView = lines.inView.flatMap(({ since, stretch }) => {
    const still: Stretch = [Math.max(from, stretch[0]), Math.min(to, stretch[1])];
    return still[0] < still[1] ? [{ since, stretch: still }] : [];
  });
  const last = inView.at(-1)?.stretch;
  if (from < to && (last?.[0] !== from || last[1] !== to)) {
    inView.push({ since: now, stretch: [from, to] });
  }
  // Of those that have stayed the last one holds the others.
  const stays = inView.findLastIndex(({ since }) => now - since >= STAY_MS);
  const longest = inView[stays]?.stretch;
  const stayed = longest ? addStretch(lines.stayed, longest) : lines.stayed;
  return { width, height, stayed, inView: inView.slice(Math.max(0, stays)) };
}

/** The lines break elsewhere: which of them were in view is known only if all were. */
function breakElsewhere({ stayed, height }: SeenLines, view: View): SeenLines {
  const isWhole = findGap(stayed, height) === undefined;
  return { ...view, stayed: isWhole ? [[0, view.height]] : [], inView: [] };
}

/** Whether something in view has not stayed yet. */
export function isNew({ inView }: SeenLines, now: number): boolean {
  return inView.some(({ since }) => now - since < STAY_MS);
}

/** Takes a stretch as one that has stayed. */
export function takeAsSeen(lines: SeenLines, stretch: Stretch): SeenLines {
  return { ...lines, stayed: addStretch(lines.stayed, stretch) };
}

/** Takes what is in view as what has stayed. */
export function keepInView(lines: SeenLines): SeenLines {
  const last = lines.inView.at(-1);
  return last ? takeAsSeen(lines, last.stretch) : lines;
}

/** The first part that does not count as seen. */
export function findUnseen(lines: SeenLines): Stretch | undefined {
  return findGap(keepInView(lines).stayed, lines.height);
}
