import type { SerializedFrame } from "@holdpoint/protocol";

/** The approximate limit of a batch, in UTF-16 units. A single larger frame is sent alone. */
const MAX_BATCH_UNITS = 256 * 1024;

/** The frames in order, divided into batches of bounded size. No batch is empty. */
export function* batchesOf<TFrame extends SerializedFrame>(
  frames: readonly TFrame[],
): Iterable<readonly TFrame[]> {
  let start = 0;
  let units = 0;
  for (const [index, frame] of frames.entries()) {
    units += frame.json.length;
    if (units > MAX_BATCH_UNITS && index > start) {
      yield frames.slice(start, index);
      start = index;
      units = frame.json.length;
    }
  }
  if (start === 0 && frames.length > 0) yield frames;
  else if (start < frames.length) yield frames.slice(start);
}
