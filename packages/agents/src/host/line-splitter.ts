const NEWLINE = 10;

/** Finds whole lines in a stream of bytes that may be cut anywhere. */
export class LineSplitter {
  #pieces: Uint8Array[] = [];

  /** The lines that are complete now, each with its end. They share no memory with the bytes. */
  push(bytes: Uint8Array): Buffer[] {
    const lines: Buffer[] = [];
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      lines.push(Buffer.concat([...this.#pieces.splice(0), bytes.subarray(from, at + 1)]));
      from = at + 1;
    }
    if (from < bytes.byteLength) this.#pieces.push(Buffer.from(bytes.subarray(from)));
    return lines;
  }

  /** What is left without an end. */
  rest(): Buffer {
    return Buffer.concat(this.#pieces.splice(0));
  }
}
