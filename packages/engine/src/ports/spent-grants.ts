/**
 * Remembers outside the store which grants are gone and which of their uses were taken, so that a row restored in the
 * store is not accepted again.
 */
export interface SpentGrants {
  has(id: string): boolean;
  /** The entry may be forgotten after that instant. Rejects when it cannot be stored. */
  add(id: string, untilMs: number): Promise<void>;
}
