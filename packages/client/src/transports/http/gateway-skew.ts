import { createBrowserClock } from "../../lib/browser-clock.ts";

/** Smaller differences are ignored: an answer takes time to arrive, and its date has no milliseconds. */
const SMALL_MS = 30_000;
const clock = createBrowserClock();
let skewMs = 0;

/** Returns how far the gateway's clock is ahead of this device's, in milliseconds, as of its last answer. */
export function gatewaySkewMs(): number {
  return skewMs;
}

export function noteGatewayTime(date: string | null): void {
  const difference = Date.parse(date ?? "") - clock.now();
  if (Number.isNaN(difference)) return;
  skewMs = Math.abs(difference) < SMALL_MS ? 0 : difference;
}
