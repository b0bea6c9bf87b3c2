import type { Locator } from "playwright-core";

/**
 * By version, from 1: the number of bytes of a code, and at level M its number of blocks and the error bytes of each.
 */
const BYTES = [26, 44, 70, 100, 134, 172, 196, 242, 292];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5];
const FOR_ERRORS = [10, 16, 26, 18, 24, 16, 18, 22, 22];
/** The centers of the small squares, in both directions. */
const SQUARES = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46]];
const LEVEL_M = 0;
const BYTE_MODE = 4;

type Point = readonly [x: number, y: number];

const MASKS: readonly ((x: number, y: number) => number)[] = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/**
 * Reads the page's QR code as a camera would (ISO/IEC 18004, level M, up to version 9). It corrects no errors: a
 * picture on a screen has none.
 */
export async function readQrCode(picture: Locator): Promise<string> {
  const [, , width = 0] = ((await picture.getAttribute("viewBox")) ?? "").split(" ").map(Number);
  const drawn = (await picture.locator("path").getAttribute("d")) ?? "";
  const all = [...drawn.matchAll(/M(\d+) (\d+)/gu)].map(([, x, y]): Point => [+x!, +y!]);
  const margin = Math.min(...all.map(([x]) => x));
  const size = width - 2 * margin;
  const black = new Set(all.map(([x, y]) => (y - margin) * size + x - margin));
  const read = ([x, y]: Point): number => (black.has(y * size + x) ? 1 : 0);
  return toText(toMessage(readBytes(size, read), (size - 17) / 4));
}

function readBytes(size: number, read: (point: Point) => number): number[] {
  const format = formatPoints().reduce((sum, point, bit) => sum | (read(point) << bit), 0) ^ 0x5412;
  if (format >> 13 !== LEVEL_M) throw new Error("The code has another level than M.");
  const mask = MASKS[(format >> 10) & 7]!;
  const bits = pathOf(size).map(([x, y]) => read([x, y]) ^ (mask(x, y) === 0 ? 1 : 0));
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
  );
}

/** From the lowest bit up. */
function formatPoints(): Point[] {
  const down = [0, 1, 2, 3, 4, 5, 7, 8].map((y): Point => [8, y]);
  return [...down, ...[7, 5, 4, 3, 2, 1, 0].map((x): Point => [x, 8])];
}

/** The points that carry bytes, in pairs of columns from the right, up and down in turns. */
function pathOf(size: number): Point[] {
  const points: Point[] = [];
  const rows = Array.from({ length: size }, (_, y) => y);
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (const y of isUp ? rows.toReversed() : rows) {
      points.push([right, y], [right - 1, y]);
    }
    isUp = !isUp;
  }
  return points.filter((point) => !isFixed(size, point));
}

/** Corners, lines of dots, small squares, and from version 7 on the version. */
function isFixed(size: number, [x, y]: Point): boolean {
  const far = size - 8;
  if (x === 6 || y === 6) return true;
  if ((x < 9 && y < 9) || (x >= far && y < 9) || (x < 9 && y >= far)) return true;
  const isBig = size >= 45;
  if (isBig && ((x >= far - 3 && y < 6) || (y >= far - 3 && x < 6))) return true;
  const centers = SQUARES[(size - 17) / 4 - 1]!;
  const last = centers.at(-1)!;
  const isNear = (at: number, center: number): boolean => Math.abs(at - center) <= 2;
  return [6, ...centers].some((cx) =>
    [6, ...centers].some((cy) => {
      const isCorner = (cx === 6 && (cy === 6 || cy === last)) || (cx === last && cy === 6);
      return !isCorner && isNear(x, cx) && isNear(y, cy);
    }),
  );
}

/** The bytes of all blocks in order; in the code they are interleaved. */
function toMessage(bytes: readonly number[], version: number): number[] {
  const [total, count, forErrors] = [BYTES, BLOCKS, FOR_ERRORS].map((of) => of[version - 1]!);
  const short = Math.floor(total! / count!);
  const longFrom = count! - (total! % count!);
  const blocks = Array.from({ length: count! }, (): number[] => []);
  let at = 0;
  for (let index = 0; index <= short - forErrors!; index += 1) {
    for (const [which, block] of blocks.entries()) {
      if (index < short - forErrors! || which >= longFrom) block.push(bytes[at++]!);
    }
  }
  return blocks.flat();
}

function toText(message: readonly number[]): string {
  const half = message.flatMap((byte) => [byte >> 4, byte & 15]);
  const [mode, high = 0, low = 0] = half;
  if (mode !== BYTE_MODE) throw new Error("The code has no bytes.");
  const length = high * 16 + low;
  const bytes = Array.from(
    { length },
    (_, index) => half[3 + index * 2]! * 16 + half[4 + index * 2]!,
  );
  return Buffer.from(bytes).toString();
}
