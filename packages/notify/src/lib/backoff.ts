const FIRST_MS = 2000;
const MOST_MS = 15 * 60 * 1000;

/** Returns the wait in milliseconds after this number of failed tries. */
export function backoffAfter(tries: number): number {
  return Math.min(FIRST_MS * 4 ** Math.max(0, tries - 1), MOST_MS);
}
