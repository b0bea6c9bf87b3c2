/** No export has a longer line: events are far smaller. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const LINE_BREAK = 0x0a;

/**
 * The lines of a file with their line breaks, as bytes; the last line may have none. Holds one line at a time in
 * memory.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (;;) {
      const end = rest.indexOf(LINE_BREAK);
      const part = end === -1 ? rest : rest.subarray(0, end + 1);
      parts.push(part);
      size += part.length;
      if (size > MAX_LINE_BYTES) throw new RangeError("A line is too long.");
      if (end === -1) break;
      yield Buffer.concat(parts);
      parts = [];
      size = 0;
      rest = rest.subarray(end + 1);
    }
  }
  if (size > 0) yield Buffer.concat(parts);
}
