/** The keys of the focused card, as its buttons and the list of shortcuts show them. */
export const CARD_KEYS = { undo: "Z", allow: "A", widen: "L", deny: "D" } as const;

export type CardKey = keyof typeof CARD_KEYS;

/** Whether the event's key is this one, in either case. */
export function isCardKey({ key }: { readonly key: string }, name: CardKey): boolean {
  return key.toUpperCase() === CARD_KEYS[name];
}
