import type { Say } from "../words/use-words.ts";

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//u, "Edge"],
  [/\bOPR\//u, "Opera"],
  [/\bSamsungBrowser\//u, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//u, "Firefox"],
  // A headless one says `HeadlessChrome`.
  [/Chrome\/|\bChromium\/|\bCriOS\//u, "Chrome"],
  [/\bSafari\//u, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/u, "iPhone"],
  [/\biPad\b/u, "iPad"],
  [/\bAndroid\b/u, "Android"],
  [/\bWindows\b/u, "Windows"],
  [/\bMacintosh\b|\bMac OS X\b/u, "Mac"],
  [/\bCrOS\b/u, "ChromeOS"],
  [/\bLinux\b|\bX11\b/u, "Linux"],
];

/** This device's label in records for people, such as "Chrome on Linux". A person can rename it. */
export function toDeviceLabel(userAgent: string, say: Say): string {
  const browser = nameOf(BROWSERS, userAgent) ?? say("Browser");
  const system = nameOf(SYSTEMS, userAgent);
  return system === undefined ? browser : say("{browser} on {system}", { browser, system });
}

function nameOf(
  names: readonly (readonly [RegExp, string])[],
  userAgent: string,
): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
