import type { MetricFamily } from "@holdpoint/server";

import { metricFacts } from "./metric-facts.ts";
import { toAttributes, toNanoseconds } from "./otlp-sender.ts";

/** The period of a measurement. */
export interface Measured {
  readonly sinceMs: number;
  readonly atMs: number;
}

/** Totals count from the gateway's start. */
const CUMULATIVE = 2;

type Samples = MetricFamily["samples"];

/** A metric family in OTLP's format. */
export function toOtlpMetric(family: MetricFamily, measured: Measured): object {
  const { samples } = family;
  const facts = metricFacts(family);
  switch (family.type) {
    case "gauge":
      return { ...facts, gauge: { dataPoints: toPoints(samples, measured) } };
    case "counter": {
      const dataPoints = toPoints(samples, measured);
      return {
        ...facts,
        sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints },
      };
    }
    case "histogram": {
      const dataPoints = [{ ...timesOf(measured), ...toBuckets(samples) }];
      return { ...facts, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } };
    }
  }
}

function toPoints(samples: Samples, measured: Measured): object[] {
  return samples.map(({ labels = {}, value }) => ({
    ...timesOf(measured),
    attributes: toAttributes(labels),
    asDouble: value,
  }));
}

/** Converts cumulative buckets (up to each bound) to OTLP's buckets (between two bounds). */
function toBuckets(samples: Samples): object {
  const buckets = samples.filter(({ suffix }) => suffix === "_bucket");
  const upTo = buckets.map(({ value }) => value);
  const bounds = buckets.map(({ labels }) => Number(labels?.["le"]));
  return {
    explicitBounds: bounds.filter((bound) => Number.isFinite(bound)),
    bucketCounts: upTo.map((count, index) => String(count - (upTo[index - 1] ?? 0))),
    count: String(upTo.at(-1) ?? 0),
    sum: samples.find(({ suffix }) => suffix === "_sum")?.value ?? 0,
  };
}

function timesOf({ sinceMs, atMs }: Measured): object {
  return { startTimeUnixNano: toNanoseconds(sinceMs), timeUnixNano: toNanoseconds(atMs) };
}
