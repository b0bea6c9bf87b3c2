const NEWLINE = 10;

/** Splits a stream of bytes, which may be cut anywhere, into lines. */
export class LineSplitter {
  #pieces: Uint8Array[] = [];

  /** The lines completed by these bytes, each with its line feed. The lines are copies. */
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

  /** The remaining bytes without a line feed. */
  rest(): Buffer {
    return Buffer.concat(this.#pieces.splice(0));
  }
}
