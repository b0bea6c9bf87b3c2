/** One number of a family. Label values are fixed in the code and never come from input. */
export interface Sample {
  /** For histograms: `_bucket`, `_sum` or `_count`. Default: none. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A named metric and its samples. */
export interface MetricFamily {
  /** Without the `holdpoint_` prefix. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const PREFIX = "holdpoint_";

/** Formats metrics in the Prometheus text format. */
export function toMetricText(families: readonly MetricFamily[]): string {
  return families.map(toLines).join("");
}

function toLines({ name, help, type, samples }: MetricFamily): string {
  const full = `${PREFIX}${name}`;
  const lines = samples.map(
    ({ suffix = "", labels = {}, value }) => `${full}${suffix}${toLabels(labels)} ${value}`,
  );
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines, ""].join("\n");
}

function toLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escape(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
