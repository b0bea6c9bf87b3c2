/** A range of positions, in pixels. */
export type Interval = readonly [from: number, to: number];

/** Browsers round positions, so a smaller gap does not count. */
const TOLERANCE_PX = 2;

/** Adds a stretch to others. The result is sorted, and no two stretches touch. */
export function addInterval(stretches: readonly Interval[], added: Interval): readonly Interval[] {
  let [from, to] = added;
  if (to <= from) return stretches;
  const apart: Interval[] = [];
  for (const one of stretches) {
    if (one[1] < from - TOLERANCE_PX || one[0] > to + TOLERANCE_PX) {
      apart.push(one);
      continue;
    }
    from = Math.min(from, one[0]);
    to = Math.max(to, one[1]);
  }
  return [...apart, [from, to] as const].toSorted((a, b) => a[0] - b[0]);
}

/** The first part of `0` to `length` outside all of the stretches, which must come from `addInterval`. */
export function findGap(stretches: readonly Interval[], length: number): Interval | undefined {
  let from = 0;
  for (const [start, end] of stretches) {
    if (start > from + TOLERANCE_PX) break;
    from = Math.max(from, end);
  }
  if (from >= length - TOLERANCE_PX) return undefined;
  const next = stretches.find(([start]) => start > from);
  return [from, Math.min(next?.[0] ?? length, length)];
}
