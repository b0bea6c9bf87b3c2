import type { Clock, GatewayFigures } from "@holdpoint/engine";
import { interactionKindSchema } from "@holdpoint/protocol";

import { EventLoopLag } from "./event-loop-lag.ts";
import { type MetricFamily, type Sample, toMetricText } from "./metric-text.ts";

export interface MetricsParts {
  readonly gateway: {
    readFigures(): Promise<GatewayFigures>;
    readonly draining: boolean;
  };
  readonly clock: Clock;
  readonly streams: { readonly size: number };
  readonly version: string;
  /** What others have to add. */
  readonly more: () => readonly MetricFamily[];
}

/** Of a node that was asked. The figures are those of the node that works, whichever was asked. */
export type NodeRole = "standby" | "working";

/** What is measured of a gateway. */
export class Metrics implements Disposable {
  readonly #parts: MetricsParts;
  readonly #lag = new EventLoopLag();

  constructor(parts: MetricsParts) {
    this.#parts = parts;
  }

  /** As Prometheus reads it. Rejects when the store cannot be read. */
  async read(role?: NodeRole): Promise<string> {
    const { gateway, clock, streams, version, more } = this.#parts;
    const figures = await gateway.readFigures();
    return toMetricText([
      gauge("info", "The release that runs.", [{ labels: { version }, value: 1 }]),
      ...(role === undefined
        ? []
        : [
            gauge("node", "The role of the node that was asked.", [{ labels: { role }, value: 1 }]),
          ]),
      ...pendingFamilies(figures, clock.now()),
      ...countedFamilies(figures),
      answerFamily(figures),
      ...sessionFamilies(figures),
      gauge("stream_clients", "Event streams and WebSockets that are open.", [
        { value: streams.size },
      ]),
      ...this.#processFamilies(),
      ...more(),
    ]);
  }

  [Symbol.dispose](): void {
    this.#lag[Symbol.dispose]();
  }

  #processFamilies(): MetricFamily[] {
    const lag = this.#lag.read();
    const quantiles = lag
      ? ([
          ["0.5", lag.median],
          ["0.99", lag.p99],
          ["1", lag.max],
        ] as const)
      : [];
    return [
      gauge(
        "event_loop_lag_seconds",
        "How late the event loop was since the last reading.",
        quantiles.map(([quantile, value]) => ({ labels: { quantile }, value })),
      ),
      gauge("resident_memory_bytes", "Memory that the process holds.", [
        { value: process.memoryUsage.rss() },
      ]),
    ];
  }
}

function pendingFamilies({ pending, counts }: GatewayFigures, nowMs: number): MetricFamily[] {
  const kinds = interactionKindSchema.options;
  return [
    gauge(
      "pending_interactions",
      "Interactions that wait for a person.",
      kinds.map((kind) => ({ labels: { kind }, value: pending.get(kind)?.count ?? 0 })),
    ),
    gauge(
      "oldest_pending_seconds",
      "How long the oldest of them has waited; 0 without any.",
      kinds.map((kind) => {
        const oldestAtMs = pending.get(kind)?.oldestAtMs ?? nowMs;
        return { labels: { kind }, value: Math.max(nowMs - oldestAtMs, 0) / 1000 };
      }),
    ),
    gauge("late_interactions", "Interactions in the overview that still take a late answer.", [
      { value: counts.late },
    ]),
  ];
}

function countedFamilies({ happened, delivered }: GatewayFigures): MetricFamily[] {
  return [
    counter(
      "interactions_total",
      "What became of interactions since the start.",
      happened.map(({ kind, happening, count }) => ({ labels: { kind, happening }, value: count })),
    ),
    counter(
      "deliveries_total",
      "How agents got their responses since the start.",
      [...delivered].map(([how, value]) => ({ labels: { how }, value })),
    ),
  ];
}

function answerFamily({ answerSeconds: { bounds, counts, sum } }: GatewayFigures): MetricFamily {
  let upTo = 0;
  const buckets = counts.map((count, index): Sample => {
    upTo += count;
    const le = String(bounds[index] ?? "+Inf");
    return { suffix: "_bucket", labels: { le }, value: upTo };
  });
  const rest = [
    { suffix: "_sum", value: sum },
    { suffix: "_count", value: upTo },
  ];
  return {
    name: "answer_seconds",
    help: "From the request to its response.",
    type: "histogram",
    samples: [...buckets, ...rest],
  };
}

function sessionFamilies({ counts, archivedSessions, agents }: GatewayFigures): MetricFamily[] {
  const { sessions, waitingSessions, workingSessions } = counts;
  return [
    gauge("sessions", "Sessions that are kept.", [
      { labels: { archived: "false" }, value: sessions },
      { labels: { archived: "true" }, value: archivedSessions },
    ]),
    gauge("waiting_sessions", "Sessions with something to answer.", [{ value: waitingSessions }]),
    gauge("working_sessions", "Sessions that work and have nothing to answer.", [
      { value: workingSessions },
    ]),
    gauge("agents", "Agents that are open.", [{ value: agents }]),
  ];
}

function gauge(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: "gauge", samples };
}

function counter(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: "counter", samples };
}
