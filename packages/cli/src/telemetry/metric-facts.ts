import type { MetricFamily } from "@holdpoint/server";

/** OpenTelemetry's description of a metric family: its name contains no unit and no `total`. */
export interface MetricFacts {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
}

const UNITS: readonly (readonly [ending: string, unit: string])[] = [
  ["_seconds", "s"],
  ["_bytes", "By"],
  ["_total", "1"],
];

export function metricFacts({ name, help: description }: MetricFamily): MetricFacts {
  const [ending = "", unit = "1"] = UNITS.find(([end]) => name.endsWith(end)) ?? [];
  return { name: `holdpoint.${name.slice(0, name.length - ending.length)}`, description, unit };
}
