import type { Clock } from "@holdpoint/engine";
import type { MetricReader } from "@holdpoint/server";

import { toOtlpMetric } from "./otlp-metric.ts";
import { type OtlpSender, SCOPE } from "./otlp-sender.ts";

const EVERY_MS = 60_000;
const CLOSING_MS = 300;

export interface MetricExporterOptions {
  readonly sender: OtlpSender;
  readonly clock: Clock;
  readonly reader: MetricReader;
}

/**
 * Sends the gateway's metrics to a collector each minute, and once more at the end. Values that the collector does not
 * take are part of the next message.
 */
export class MetricExporter implements AsyncDisposable {
  readonly #options: MetricExporterOptions;
  readonly #sinceMs: number;
  readonly #ended = new AbortController();
  #timer: Disposable | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: MetricExporterOptions) {
    this.#options = options;
    this.#sinceMs = options.clock.now();
    this.#arm();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { clock, reader } = this.#options;
    this.#timer?.[Symbol.dispose]();
    const limit = clock.after(CLOSING_MS, () => this.#ended.abort());
    await this.#sending;
    await this.#send();
    limit[Symbol.dispose]();
    this.#ended.abort();
    reader[Symbol.dispose]();
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(EVERY_MS, () => {
      this.#sending = this.#send();
      this.#arm();
    });
  }

  /** Never rejects: a store that cannot be read may be readable a minute later. */
  async #send(): Promise<void> {
    const { sender, clock, reader } = this.#options;
    const families = await reader.families().catch(() => undefined);
    if (!families) return;
    const measured = { sinceMs: this.#sinceMs, atMs: clock.now() };
    const metrics = families.map((family) => toOtlpMetric(family, measured));
    const { resource } = sender;
    const scopeMetrics = [{ scope: SCOPE, metrics }];
    await sender.send(
      "/v1/metrics",
      { resourceMetrics: [{ resource, scopeMetrics }] },
      this.#ended.signal,
    );
  }
}
