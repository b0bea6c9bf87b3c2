/** Formats an instant as in the protocol. */
export function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}
