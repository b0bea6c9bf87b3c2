import type { Clock, GatewayFigures } from "@holdpoint/engine";

import { EventLoopLag } from "./event-loop-lag.ts";
import { gatewayFamilies, gauge } from "./gateway-families.ts";
import { type MetricFamily, toMetricText } from "./metric-text.ts";
import { residentBytes } from "./resident-bytes.ts";

export interface MetricsParts {
  readonly gateway: {
    readFigures(): Promise<GatewayFigures>;
    readonly draining: boolean;
  };
  readonly clock: Clock;
  readonly streams: { readonly size: number };
  readonly version: string;
  /** Additional metrics. */
  readonly more: () => readonly MetricFamily[];
}

/** The role of the node that answers. All other figures come from the working node. */
export type NodeRole = "standby" | "working";

/** Collects a gateway's metrics for one reader; the event loop delay is measured since that reader's last reading. */
export class Metrics implements Disposable {
  readonly #parts: MetricsParts;
  readonly #lag = new EventLoopLag();

  constructor(parts: MetricsParts) {
    this.#parts = parts;
  }

  /** Returns the metrics in the Prometheus text format. Rejects when the store cannot be read. */
  async read(role?: NodeRole): Promise<string> {
    return toMetricText(await this.families(role));
  }

  /** Rejects when the store cannot be read. */
  async families(role?: NodeRole): Promise<MetricFamily[]> {
    const { gateway, clock, streams, version, more } = this.#parts;
    const figures = await gateway.readFigures();
    return [
      gauge("info", "The release that runs.", [{ labels: { version }, value: 1 }]),
      ...(role === undefined
        ? []
        : [gauge("node", "The role of this node.", [{ labels: { role }, value: 1 }])]),
      ...gatewayFamilies(figures, clock.now()),
      gauge("stream_clients", "Event streams and WebSockets that are open.", [
        { value: streams.size },
      ]),
      ...this.#processFamilies(),
      ...more(),
    ];
  }

  [Symbol.dispose](): void {
    this.#lag[Symbol.dispose]();
  }

  #processFamilies(): MetricFamily[] {
    const lag = this.#lag.read();
    const resident = residentBytes();
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
      gauge(
        "resident_memory_bytes",
        "Memory that the process holds.",
        resident === undefined ? [] : [{ value: resident }],
      ),
    ];
  }
}
