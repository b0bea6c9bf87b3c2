import { encode } from "uqr";

/** Black on white, whatever the terminal's colours are. */
const COLORS = "\u001B[38;5;16;48;5;231m";
const RESET = "\u001B[0m";
/** Cameras need a margin. */
const BORDER = 2;

/** A QR code as lines for a terminal: each character shows two points, one above the other. */
export function drawQrCode(text: string): string[] {
  const { data } = encode(text, { ecc: "M", border: BORDER });
  const lines: string[] = [];
  for (let row = 0; row < data.length; row += 2) {
    const points = (data[row] ?? []).map((upper, column) =>
      toBlock(upper, data[row + 1]?.[column] ?? false),
    );
    lines.push(COLORS + points.join("") + RESET);
  }
  return lines;
}

function toBlock(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}
