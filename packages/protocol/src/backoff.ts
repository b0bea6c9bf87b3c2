/** How the waits between tries grow. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  readonly factor: number;
}

/** The wait in milliseconds after this number of earlier waits. */
export function backoffMs(waits: number, { firstMs, longestMs, factor }: Backoff): number {
  return Math.min(firstMs * factor ** waits, longestMs);
}
