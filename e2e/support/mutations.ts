import { createSeededRandom } from "@holdpoint/engine/testing";

/** Input that is almost valid. The same seed gives the same input. */
export interface Mutations {
  readonly pick: <T>(from: readonly T[]) => T;
  /** The object as JSON, changed in its values or in its bytes. */
  bytes(from: object): Buffer<ArrayBuffer>;
}

/** Values that often break programs. None of them is an action that settles an interaction. */
const STRANGE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  "",
  "\u0000",
  "\ud800",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "'; DROP TABLE sessions; --",
  "x".repeat(70_000),
  "\u202e".repeat(100),
  [],
  {},
  [[[[[[]]]]]],
  { toString: 1, constructor: { prototype: {} } },
  Array.from({ length: 2000 }, (_, index) => index),
];

const STRANGE_NAMES = [
  "",
  "__proto__",
  "constructor",
  "toString",
  "\u0000",
  "digest",
  "x".repeat(50),
];

export function createMutations(seed: number): Mutations {
  const random = createSeededRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;

  const change = (value: unknown, depth: number): unknown => {
    if (depth > 4 || random() < 0.15) return pick(STRANGE);
    if (Array.isArray(value)) return value.map((item) => change(item, depth + 1));
    if (typeof value !== "object" || value === null) return random() < 0.3 ? pick(STRANGE) : value;
    const entries = Object.entries(value).filter(() => random() > 0.1);
    if (random() < 0.2) entries.push([pick(STRANGE_NAMES), pick(STRANGE)]);
    return Object.fromEntries(entries.map(([name, item]) => [name, change(item, depth + 1)]));
  };

  const damage = (bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> => {
    switch (below(5)) {
      case 0:
        return bytes.subarray(0, below(bytes.length));
      case 1:
        return Buffer.concat([bytes, bytes.subarray(below(bytes.length))]);
      case 2:
        return Buffer.from("[".repeat(below(20_000)));
      default: {
        const damaged = Buffer.from(bytes);
        for (let count = below(8); count >= 0; count -= 1) {
          damaged[below(damaged.length)] = below(256);
        }
        return damaged;
      }
    }
  };

  return {
    pick,
    bytes(from) {
      const changed = Buffer.from(
        JSON.stringify(random() < 0.05 ? pick(STRANGE) : change(from, 0)) ?? "",
      );
      return random() < 0.3 && changed.length > 0 ? damage(changed) : changed;
    },
  };
}
