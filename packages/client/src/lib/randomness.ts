/** The only source of randomness in a client. */
export interface Randomness {
  /** Returns a number of at least 0 and less than 1. */
  fraction(): number;
  /** Returns 128 random bits as 32 hex digits. */
  key(): string;
}

/** Uses the platform's secure randomness. Unlike `crypto.randomUUID`, it also works on pages without TLS. */
export function createBrowserRandomness(): Randomness {
  return {
    fraction: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
    key: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, "0"),
      ).join(""),
  };
}
