/** The only source of randomness. */
export interface Randomness {
  /** At least 0, less than 1. */
  fraction(): number;
  /** 128 random bits as 32 hex digits. */
  key(): string;
}

/** The platform's secure randomness; unlike `crypto.randomUUID` it is there on pages without TLS as well. */
export function createBrowserRandomness(): Randomness {
  return {
    fraction: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
    key: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, "0"),
      ).join(""),
  };
}
