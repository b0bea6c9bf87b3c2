import type { SerializedFrame } from "@holdpoint/protocol";

/**
 * From this length in UTF-16 units, a frame's bytes are encoded once and shared by all readers. Shorter frames are
 * joined.
 */
const LEAST_SHARED_UNITS = 2048;

/** The bytes of frames that several readers get, with the epoch in their ids. */
const sharedBytes = new WeakMap<SerializedFrame, { readonly epoch: string; bytes: Buffer }>();

/**
 * Server-sent events that wait to be written. Large frames are shared, so that a stalled reader keeps no copies of
 * them.
 */
export class FrameChunks {
  readonly #epoch: string;
  #chunks: Buffer[] = [];
  /** Text that follows the chunks. */
  #text = "";
  #size = 0;

  /** `epoch`: the history that the `seq` of durable events belongs to; part of their ids. */
  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  /** The approximate number of waiting bytes. */
  get size(): number {
    return this.#size;
  }

  add(frame: SerializedFrame): void {
    this.#size += frame.json.length;
    if (frame.json.length < LEAST_SHARED_UNITS) {
      this.#text += encode(frame, this.#epoch);
      return;
    }
    this.#endText();
    this.#chunks.push(bytesOf(frame, this.#epoch));
  }

  /** Returns and removes all waiting chunks, in order. */
  take(): Buffer[] {
    this.#endText();
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#size = 0;
    return chunks;
  }

  /**
   * Converts the text to bytes: for text that the connection does not take at once, Node uses three times its length.
   */
  #endText(): void {
    if (this.#text === "") return;
    this.#chunks.push(Buffer.from(this.#text));
    this.#text = "";
  }
}

function bytesOf(frame: SerializedFrame, epoch: string): Buffer {
  const known = sharedBytes.get(frame);
  if (known?.epoch === epoch) return known.bytes;
  const bytes = Buffer.from(encode(frame, epoch));
  sharedBytes.set(frame, { epoch, bytes });
  return bytes;
}

function encode({ seq, json }: SerializedFrame, epoch: string): string {
  return seq === undefined ? `data: ${json}\n\n` : `id: ${epoch}.${seq}\ndata: ${json}\n\n`;
}
