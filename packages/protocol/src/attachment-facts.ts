import type { AttachmentType } from "./attachment.ts";
import { gifSize, jpegSize, pngSize, textAt, webpSize, type ImageSize } from "./image-size.ts";
import { ATTACHMENT_LIMITS } from "./limits.ts";

/** Facts about a file, derived from its bytes. */
export interface AttachmentFacts extends Partial<ImageSize> {
  readonly mediaType: AttachmentType;
}

/** Why a file is not accepted. */
export type AttachmentProblem =
  | "empty"
  | "unknown_type"
  | "too_large"
  | "too_many_pixels"
  | "text_too_large";

export type AttachmentCheck =
  | { readonly facts: AttachmentFacts }
  | { readonly problem: AttachmentProblem };

/**
 * Determines the type of a file from its bytes alone, and whether a message can carry it. The file name and the
 * declared type are ignored: HTML named `x.png` is text. The page and the gateway both use this check.
 */
export function checkAttachment(bytes: Uint8Array): AttachmentCheck {
  if (bytes.length === 0) return { problem: "empty" };
  if (bytes.length > ATTACHMENT_LIMITS.messageBytes) return { problem: "too_large" };
  const image = imageIn(bytes);
  if (image) return checkImage(image);
  if (textAt(bytes, 0, 5) === "%PDF-") return { facts: { mediaType: "application/pdf" } };
  const { textBytes } = ATTACHMENT_LIMITS;
  if (!isText(bytes.subarray(0, textBytes))) return { problem: "unknown_type" };
  return bytes.length > textBytes
    ? { problem: "text_too_large" }
    : { facts: { mediaType: "text/plain" } };
}

interface FoundImage {
  readonly mediaType: AttachmentType;
  readonly size: ImageSize | undefined;
}

function imageIn(bytes: Uint8Array): FoundImage | undefined {
  if (textAt(bytes, 0, 8) === "\u0089PNG\r\n\u001A\n") {
    return { mediaType: "image/png", size: pngSize(bytes) };
  }
  if (textAt(bytes, 0, 3) === "\u00FF\u00D8\u00FF") {
    return { mediaType: "image/jpeg", size: jpegSize(bytes) };
  }
  if (/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) {
    return { mediaType: "image/gif", size: gifSize(bytes) };
  }
  if (textAt(bytes, 0, 4) === "RIFF" && textAt(bytes, 8, 4) === "WEBP") {
    return { mediaType: "image/webp", size: webpSize(bytes) };
  }
  return undefined;
}

function checkImage({ mediaType, size }: FoundImage): AttachmentCheck {
  // An image without a size is broken, or made to look small.
  if (!size) return { problem: "unknown_type" };
  const { imageSide, imagePixels } = ATTACHMENT_LIMITS;
  const { width, height } = size;
  if (Math.max(width, height) > imageSide || width * height > imagePixels) {
    return { problem: "too_many_pixels" };
  }
  return { facts: { mediaType, width, height } };
}

function isControl(byte: number): boolean {
  return byte === 127 || (byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 27);
}

/** Whether the bytes are UTF-8 without control characters, except those for lines, pages, tabs and colors. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.some(isControl)) return false;
  try {
    // Bytes at the limit may be cut off in the middle of a character.
    const stream = bytes.length === ATTACHMENT_LIMITS.textBytes;
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}
