/**
 * Remembers outside the store which grants are gone and which of their uses were taken, so that a row that is written back
 * into the store does not count again.
 */
export interface SpentGrants {
  has(id: string): boolean;
  /** May be forgotten after that instant. Rejects when it cannot be kept. */
  add(id: string, untilMs: number): Promise<void>;
}
