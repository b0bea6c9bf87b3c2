/**
 * The first events of a log, up to this many UTF-16 units in total, but at least one event. Reads at most one event
 * more than it returns.
 */
export function takeUnits<TEvent extends { readonly json: string }>(
  events: Iterable<TEvent>,
  units: number,
): TEvent[] {
  const taken: TEvent[] = [];
  let left = units;
  for (const event of events) {
    left -= event.json.length;
    if (left < 0 && taken.length > 0) break;
    taken.push(event);
  }
  return taken;
}
