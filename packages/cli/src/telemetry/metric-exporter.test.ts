import { SimulatedClock } from "@holdpoint/engine/testing";
import type { MetricFamily } from "@holdpoint/server";
import { expect, test } from "vitest";

import { openCollector } from "../testing/collector.ts";
import { MetricExporter } from "./metric-exporter.ts";
import { OtlpSender } from "./otlp-sender.ts";

const FAMILIES: readonly MetricFamily[] = [
  { name: "agents", help: "Open agents.", type: "gauge", samples: [{ value: 2 }] },
  {
    name: "deliveries_total",
    help: "Deliveries.",
    type: "counter",
    samples: [{ labels: { how: "resumed" }, value: 3 }],
  },
  {
    name: "answer_seconds",
    help: "How long.",
    type: "histogram",
    samples: [
      { suffix: "_bucket", labels: { le: "1" }, value: 2 },
      { suffix: "_bucket", labels: { le: "5" }, value: 5 },
      { suffix: "_bucket", labels: { le: "+Inf" }, value: 6 },
      { suffix: "_sum", value: 21.5 },
      { suffix: "_count", value: 6 },
    ],
  },
];

test("metrics are sent each minute and at the end, in OTLP's format, despite failed reads and sends", async () => {
  await using collector = await openCollector([503]);
  const clock = new SimulatedClock();
  let readings = 0;
  let isReading = true;
  const reader = {
    async families() {
      readings += 1;
      if (readings === 2) throw new Error("The store is away.");
      return [...FAMILIES];
    },
    [Symbol.dispose]: () => void (isReading = false),
  };
  const sinceMs = clock.now();
  const sender = new OtlpSender({ url: collector.url, clock, instanceId: "gateway_1" });
  const exporter = new MetricExporter({ sender, clock, reader });
  for (const minute of [1, 2, 3]) {
    await clock.advance(60_000);
    await expect.poll(() => readings).toBe(minute);
    await expect.poll(() => collector.bodies.length).toBe(minute === 1 ? 1 : minute - 1);
  }
  await exporter[Symbol.asyncDispose]();
  expect([collector.bodies.length, readings, isReading]).toEqual([3, 4, false]);
  const last = collector.bodies.at(-1)!;
  expect(last.path).toBe("/v1/metrics");
  const times = {
    startTimeUnixNano: `${sinceMs}000000`,
    timeUnixNano: `${sinceMs + 180_000}000000`,
  };
  expect(JSON.parse(last.body)).toMatchObject({
    resourceMetrics: [
      {
        resource: {
          attributes: [
            { key: "service.name", value: { stringValue: "holdpoint" } },
            { key: "service.version" },
            { key: "service.instance.id", value: { stringValue: "gateway_1" } },
          ],
        },
        scopeMetrics: [
          {
            metrics: [
              { name: "holdpoint.agents", gauge: { dataPoints: [{ ...times, asDouble: 2 }] } },
              {
                name: "holdpoint.deliveries",
                sum: {
                  aggregationTemporality: 2,
                  isMonotonic: true,
                  dataPoints: [{ attributes: [{ key: "how", value: { stringValue: "resumed" } }] }],
                },
              },
              {
                name: "holdpoint.answer",
                unit: "s",
                histogram: {
                  dataPoints: [
                    {
                      ...times,
                      explicitBounds: [1, 5],
                      bucketCounts: ["2", "3", "1"],
                      count: "6",
                      sum: 21.5,
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
    ],
  });
});
