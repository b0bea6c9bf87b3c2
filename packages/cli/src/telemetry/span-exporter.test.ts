import { type Clock, createSystemClock } from "@holdpoint/engine";
import { SimulatedClock } from "@holdpoint/engine/testing";
import { sampleInteraction } from "@holdpoint/protocol/testing";
import { expect, test } from "vitest";

import { openCollector } from "../testing/collector.ts";
import { OtlpSender } from "./otlp-sender.ts";
import { toPlacedSpan } from "./placed-span.ts";
import { SpanExporter } from "./span-exporter.ts";

const span = (index: number) =>
  toPlacedSpan({ interaction: sampleInteraction({ interactionId: `int_${index}` }) }, Date.now());

const senderTo = (url: string, clock: Clock) =>
  new OtlpSender({ url, clock, instanceId: "gateway_1" });

function openExporter(url: string) {
  const clock = new SimulatedClock();
  const lost: number[] = [];
  const onLost = (count: number) => void lost.push(count);
  return {
    clock,
    lost,
    exporter: new SpanExporter({ sender: senderTo(url, clock), clock, onLost }),
  };
}

test("spans are sent in batches, and again when the collector does not accept them", async () => {
  await using collector = await openCollector([503, 302]);
  const { clock, lost, exporter } = openExporter(collector.url);
  exporter.add(span(1));
  exporter.add(span(2));
  for (const tries of [1, 2, 3]) {
    await clock.advance(2000);
    await expect.poll(() => collector.bodies.length).toBe(tries);
    // The answer has to arrive before the next check.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const last = collector.bodies[2]!;
  expect(last.path).toBe("/v1/traces");
  expect(JSON.parse(last.body)).toMatchObject({
    resourceSpans: [{ scopeSpans: [{ spans: [{ name: "interaction approval" }, {}] }] }],
  });
  await exporter[Symbol.asyncDispose]();
  expect([collector.bodies.length, lost]).toEqual([3, []]);
});

test("[R-18] an unreachable collector delays nothing, and takes no more memory than its limit", async () => {
  const lost: number[] = [];
  const clock = createSystemClock();
  const exporter = new SpanExporter({
    sender: senderTo("http://127.0.0.1:9", clock),
    clock,
    onLost: (count) => lost.push(count),
  });
  for (let index = 0; index < 3000; index += 1) exporter.add(span(index));
  expect(lost.reduce((sum, count) => sum + count, 0)).toBe(3000 - 2048);
  await exporter[Symbol.asyncDispose]();
  expect(lost.reduce((sum, count) => sum + count, 0)).toBe(3000);
});
