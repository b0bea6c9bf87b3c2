/** An instant as the protocol writes it. */
export function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
