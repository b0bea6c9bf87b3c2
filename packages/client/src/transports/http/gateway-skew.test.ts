import { expect, test } from "vitest";

import { gatewaySkewMs, noteGatewayTime } from "./gateway-skew.ts";

const HOUR_MS = 3_600_000;
const dateAt = (aheadMs: number): string =>
  // oxlint-disable-next-line no-restricted-properties -- what a gateway's answer would say now
  new Date(Date.now() + aheadMs).toUTCString();

test.each([HOUR_MS, -HOUR_MS, -48 * HOUR_MS])(
  "a gateway's clock difference of %d ms is measured from its last response",
  (aheadMs) => {
    noteGatewayTime(dateAt(aheadMs));
    expect(Math.abs(gatewaySkewMs() - aheadMs)).toBeLessThan(30_000);
    noteGatewayTime(dateAt(2000));
    expect(gatewaySkewMs()).toBe(0);
  },
);

test("a response without a date, or with a broken one, changes nothing", () => {
  noteGatewayTime(dateAt(HOUR_MS));
  noteGatewayTime(null);
  noteGatewayTime("soon");
  expect(gatewaySkewMs()).toBeGreaterThan(HOUR_MS / 2);
  noteGatewayTime(dateAt(0));
});
