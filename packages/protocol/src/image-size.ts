export interface ImageSize {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Reads the size stated in a PNG, which viewers rely on as well. Returns `undefined` if the data is cut off. */
export function pngSize(bytes: Uint8Array): ImageSize | undefined {
  const view = viewOf(bytes);
  if (bytes.length < 24 || textAt(bytes, 12, 4) !== "IHDR") return undefined;
  return toSize(view.getUint32(16), view.getUint32(20));
}

/** Reads the size stated in a GIF. Returns `undefined` if the data is cut off. */
export function gifSize(bytes: Uint8Array): ImageSize | undefined {
  const view = viewOf(bytes);
  return bytes.length < 10 ? undefined : toSize(view.getUint16(6, true), view.getUint16(8, true));
}

/** Reads the size stated in a WebP, in any of its three forms. Returns `undefined` if there is none. */
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

/** Whether a JPEG marker begins a frame, which contains the size. C4, C8 and CC have other meanings. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** The most segments to skip before the frame. A camera's picture has a few dozen. */
const MAX_STEPS = 10_000;

/** Reads the size stated in the first frame of a JPEG. Returns `undefined` if there is none. */
export function jpegSize(bytes: Uint8Array): ImageSize | undefined {
  const view = viewOf(bytes);
  for (let at = 2, steps = 0; at + 9 <= bytes.length && steps < MAX_STEPS; steps += 1) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return toSize(view.getUint16(at + 7), view.getUint16(at + 5));
    // Fill bytes, and markers without a length.
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
