/** Events of a log until they have so many UTF-16 units together, but one in any case. Reads no more than it gives and one. */
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
