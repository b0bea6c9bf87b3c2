/** File headers, which contain type and size; none of them can be drawn. */
function head(size: number, ...parts: readonly (readonly [at: number, bytes: string])[]) {
  const bytes = new Uint8Array(size);
  for (const [at, text] of parts) bytes.set(latin1(text), at);
  return bytes;
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function write(bytes: Uint8Array, change: (view: DataView) => void): Uint8Array {
  change(new DataView(bytes.buffer));
  return bytes;
}

const webpOf = (form: string): Uint8Array => head(32, [0, "RIFF"], [8, "WEBP"], [12, form]);

export const sampleImages = {
  pdf: latin1("%PDF-1.7\n%\u00E2\u00E3\n"),
  png: (width: number, height: number) =>
    write(head(33, [0, "\u0089PNG\r\n\u001A\n"], [12, "IHDR"]), (view) => {
      view.setUint32(16, width);
      view.setUint32(20, height);
    }),
  gif: (width: number, height: number) =>
    write(head(13, [0, "GIF89a"]), (view) => {
      view.setUint16(6, width, true);
      view.setUint16(8, height, true);
    }),
  /** With filling bytes and one other part before its frame. */
  jpeg: (width: number, height: number) =>
    write(
      head(24, [0, "\u00FF\u00D8\u00FF\u00E0\0\u0004AB\u00FF\u00FF\u00C2\0\u0011\u0008"]),
      (view) => {
        view.setUint16(14, height);
        view.setUint16(16, width);
      },
    ),
  webp: (width: number, height: number) =>
    write(webpOf("VP8X"), (view) => {
      view.setUint32(24, width - 1, true);
      view.setUint16(27, height - 1, true);
    }),
  webpLossy: (width: number, height: number) =>
    write(webpOf("VP8 "), (view) => {
      view.setUint16(26, width, true);
      view.setUint16(28, height, true);
    }),
  webpLossless: (width: number, height: number) =>
    write(webpOf("VP8L"), (view) => view.setUint32(21, (width - 1) | ((height - 1) << 14), true)),
};
