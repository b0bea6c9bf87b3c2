import { urlAt } from "@holdpoint/protocol";
import { isLoopback, type ShownPairing } from "@holdpoint/server";

import { drawQrCode } from "./qr-code.ts";

/** The gateway's own terminal, which an agent cannot read, unlike a file or a journal. */
export interface Terminal {
  showLink(launchUrl: string): void;
  showPairing(pairing: ShownPairing): void;
  /** Called when a wrong code was entered. */
  showMiss(triesLeft: number): void;
}

export function createTerminal(write: (text: string) => void): Terminal {
  return {
    showLink: (launchUrl) => write(`  Open      ${launchUrl}\n`),
    showPairing: (pairing) => write(`${describePairing(pairing).join("\n")}\n`),
    showMiss: (triesLeft) => write(`  Pairing   ${describeMiss(triesLeft)}\n`),
  };
}

function describePairing({ code, url }: ShownPairing): string[] {
  const { hostname } = new URL(url);
  const [pageUrl = ""] = url.split("#", 1);
  const isHere = isLoopback(hostname.replace(/^\[|\]$/g, ""));
  return [
    "",
    `  Code      ${code}`,
    `            Enter it at ${urlAt(pageUrl, "/pair")}${isHere ? "" : ", or scan this:"}`,
    "",
    ...(isHere
      ? [
          "  Only browsers on this machine reach that address. A phone needs an https one, such as the one of",
          "  `tailscale serve --bg 4870`: guides/devices.md shows three ways to get one.",
        ]
      : drawQrCode(url).map((line) => `  ${line}`)),
    "",
    "  It works once, within five minutes. Anyone who uses it can answer for you.",
    "",
  ];
}

function describeMiss(triesLeft: number): string {
  if (triesLeft === 0) {
    return "Five wrong codes were entered, so all codes are void. The command `pair` makes a new one.";
  }
  return `A wrong code was entered; ${triesLeft} ${triesLeft === 1 ? "try is" : "tries are"} left.`;
}
