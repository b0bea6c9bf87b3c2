import type { Transport } from "@holdpoint/client";
import type { Attachment, AttachmentData } from "@holdpoint/protocol";

/** The most characters cached for pages that show an attachment again. */
const MAX_KEPT = 32 * 1024 * 1024;
/** A browser needs four bytes for each pixel drawn. Larger images are drawn only when someone opens them. */
const MAX_PIXELS = 16_000_000;

const caches = new WeakMap<Transport, Map<string, Promise<AttachmentData>>>();

/** The bytes of a session's attachment, from the gateway or the cache. Rejects like the transport. */
export function readAttachment(
  transport: Transport,
  sessionId: string,
  { attachmentId }: Pick<Attachment, "attachmentId">,
): Promise<AttachmentData> {
  const cache = cacheOf(transport);
  const key = JSON.stringify([sessionId, attachmentId]);
  const found = cache.get(key);
  if (found) {
    // Moved to the end: the most recently used entry is evicted last.
    cache.delete(key);
    cache.set(key, found);
    return found;
  }
  const reading = transport.readAttachment(sessionId, attachmentId);
  cache.set(key, reading);
  reading.then(
    () => void prune(cache),
    () => cache.delete(key),
  );
  return reading;
}

/** Caches an attachment that was just uploaded, so that it need not be read again. */
export function keepAttachment(
  transport: Transport,
  sessionId: string,
  read: AttachmentData,
): void {
  const cache = cacheOf(transport);
  cache.set(JSON.stringify([sessionId, read.attachmentId]), Promise.resolve(read));
  void prune(cache);
}

/** Whether an attachment is an image that can be drawn without a press. */
export function isDrawn({ mediaType, width = Infinity, height = Infinity }: DrawnFacts): boolean {
  return mediaType.startsWith("image/") && width * height <= MAX_PIXELS;
}

export type DrawnFacts = Pick<Attachment, "height" | "mediaType" | "width">;

/** A `data:` address of an image. Only for images: no other file is ever displayed from its bytes. */
export function toImageUrl({
  mediaType,
  data,
}: Pick<AttachmentData, "data" | "mediaType">): string | undefined {
  return mediaType.startsWith("image/") ? `data:${mediaType};base64,${data}` : undefined;
}

export function toBytes(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}

function cacheOf(transport: Transport): Map<string, Promise<AttachmentData>> {
  const cache = caches.get(transport) ?? new Map<string, Promise<AttachmentData>>();
  caches.set(transport, cache);
  return cache;
}

/** Evicts the least recently used entries. */
async function prune(cache: Map<string, Promise<AttachmentData>>): Promise<void> {
  let kept = 0;
  for (const [key, reading] of [...cache].toReversed()) {
    const read = await reading.catch(() => undefined);
    kept += read?.data.length ?? 0;
    if (kept > MAX_KEPT) cache.delete(key);
  }
}
