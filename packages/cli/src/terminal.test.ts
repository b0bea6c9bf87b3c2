import { describe, expect, test } from "vitest";

import { drawQrCode } from "./qr-code.ts";
import { createTerminal } from "./terminal.ts";

function openTerminal() {
  let shown = "";
  const terminal = createTerminal((text) => (shown += text));
  return { terminal, shown: () => shown };
}

describe("a pairing in the terminal", () => {
  test("is a code, the address to enter it at, and a QR code of its link", () => {
    const { terminal, shown } = openTerminal();
    const url = "https://desk.example:8443/holdpoint/#code=3KA-XW7-PCT";
    terminal.showPairing({ code: "3KA-XW7-PCT", url, expiresAtMs: 0 });
    expect(shown()).toContain("  Code      3KA-XW7-PCT\n");
    expect(shown()).toContain("https://desk.example:8443/holdpoint/pair");
    for (const line of drawQrCode(url)) expect(shown()).toContain(line);
  });

  test("has no QR code when no phone could follow it, and explains what a phone needs", () => {
    const { terminal, shown } = openTerminal();
    const url = "http://127.0.0.1:4870/#code=3KA-XW7-PCT";
    terminal.showPairing({ code: "3KA-XW7-PCT", url, expiresAtMs: 0 });
    expect(shown()).toContain("http://127.0.0.1:4870/pair");
    expect(shown()).toContain("A phone needs an https one");
    expect(shown()).not.toContain("█");
  });

  test("gives the number of tries left after a wrong code, and the end of the code", () => {
    const { terminal, shown } = openTerminal();
    for (const triesLeft of [2, 1, 0]) terminal.showMiss(triesLeft);
    expect(shown()).toMatch(/2 tries are left\.\n.*1 try is left\.\n.*all codes are void/);
  });
});

test("a QR code is square, black on white in any terminal colours, with its three corners", () => {
  const lines = drawQrCode("https://desk.example/#code=3KA-XW7-PCT");
  const [colors, reset] = ["\u001B[38;5;16;48;5;231m", "\u001B[0m"];
  const rows = lines.map((line) => {
    expect(line.startsWith(colors) && line.endsWith(reset)).toBe(true);
    return line.slice(colors.length, -reset.length);
  });
  const width = rows[0]!.length;
  expect(rows.every(({ length }) => length === width)).toBe(true);
  expect(rows.length).toBe(Math.ceil(width / 2));
  const corner = ["█▀▀▀▀▀█", "█ ███ █", "█ ▀▀▀ █", "▀▀▀▀▀▀▀"];
  for (const [row, points] of corner.entries()) {
    expect(rows[row + 1]!.slice(2, 9)).toBe(points);
    expect(rows[row + 1]!.slice(-9, -2)).toBe(points);
  }
  const lastRows = rows.map((row) => row.slice(2, 9)).join("\n");
  expect(lastRows.lastIndexOf("█ ███ █")).toBeGreaterThan(lastRows.length / 2);
});
