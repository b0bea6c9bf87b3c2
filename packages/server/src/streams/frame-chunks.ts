import type { SerializedFrame } from "@holdpoint/protocol";

/** From so many UTF-16 units on, the bytes of a frame are made once for all readers. Shorter ones are written together. */
const LEAST_SHARED_UNITS = 2048;

/** By history: the bytes of frames that several readers get. */
const sharedBytes = new WeakMap<SerializedFrame, { readonly epoch: string; bytes: Buffer }>();

/** Server-sent events that wait to be written. A reader that takes nothing keeps no copy of a large one. */
export class FrameChunks {
  readonly #epoch: string;
  #chunks: Buffer[] = [];
  /** What comes behind the chunks. */
  #text = "";
  #size = 0;

  /** `epoch`: the history that the `seq` of durable events belongs to; part of their ids. */
  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  /** About how many bytes wait. */
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

  /** Gives all that waits, in order. */
  take(): Buffer[] {
    this.#endText();
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#size = 0;
    return chunks;
  }

  /** As bytes: of text that the connection does not take at once, Node holds three times the length. */
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
