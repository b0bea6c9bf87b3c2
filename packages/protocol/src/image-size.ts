export interface ImageSize {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** The size that a PNG says of itself; the programs that draw it believe it too. `undefined`: it is cut off. */
export function pngSize(bytes: Uint8Array): ImageSize | undefined {
  const view = viewOf(bytes);
  if (bytes.length < 24 || textAt(bytes, 12, 4) !== "IHDR") return undefined;
  return toSize(view.getUint32(16), view.getUint32(20));
}

/** The same of a GIF. */
export function gifSize(bytes: Uint8Array): ImageSize | undefined {
  const view = viewOf(bytes);
  return bytes.length < 10 ? undefined : toSize(view.getUint16(6, true), view.getUint16(8, true));
}

/** The same of a WebP, in each of its three forms. */
export function webpSize(bytes: Uint8Array): ImageSize | undefined {
  const view = viewOf(bytes);
  if (bytes.length < 30) return undefined;
  switch (textAt(bytes, 12, 4)) {
    case "VP8 ":
      return toSize(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return toSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case "VP8X":
      return toSize(
        (view.getUint32(24, true) & 0xffffff) + 1,
        (view.getUint32(26, true) >>> 8) + 1,
      );
    default:
      return undefined;
  }
}

/** Markers of a JPEG that begin a frame, which has the size; C4, C8 and CC are others. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Parts that are looked at before the frame: a picture of a camera has some dozens. */
const MAX_STEPS = 10_000;

/** The same of a JPEG: of its first frame. */
export function jpegSize(bytes: Uint8Array): ImageSize | undefined {
  const view = viewOf(bytes);
  for (let at = 2, steps = 0; at + 9 <= bytes.length && steps < MAX_STEPS; steps += 1) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return toSize(view.getUint16(at + 7), view.getUint16(at + 5));
    // Filling bytes, and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + Math.max(view.getUint16(at + 2), 2);
  }
  return undefined;
}

function toSize(width: number, height: number): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

export function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
