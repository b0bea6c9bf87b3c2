import { createBrowserClock } from "../../lib/browser-clock.ts";

/** The way of an answer takes time, and its date has no milliseconds: less than this is no difference of the clocks. */
const SMALL_MS = 30_000;
const clock = createBrowserClock();
let skewMs = 0;

/** How far the gateway's clock is ahead of this device's, by the last answer; 0 where they agree. */
export function gatewaySkewMs(): number {
  return skewMs;
}

export function noteGatewayTime(date: string | null): void {
  const difference = Date.parse(date ?? "") - clock.now();
  if (Number.isNaN(difference)) return;
  skewMs = Math.abs(difference) < SMALL_MS ? 0 : difference;
}
