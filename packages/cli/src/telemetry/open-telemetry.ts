import type { Clock, Ids, OnInteraction } from "@holdpoint/engine";
import type { MetricReader } from "@holdpoint/server";
import type { Logger } from "pino";

import { isOver } from "./interaction-span.ts";
import { MetricExporter } from "./metric-exporter.ts";
import { OtlpSender } from "./otlp-sender.ts";
import { toPlacedSpan } from "./placed-span.ts";
import { SpanExporter } from "./span-exporter.ts";

export interface Telemetry extends AsyncDisposable {
  readonly onInteraction: OnInteraction;
  /** Sends metrics until disposed. */
  measure(open: () => MetricReader): AsyncDisposable;
}

const NOTHING: AsyncDisposable = { [Symbol.asyncDispose]: async () => undefined };
const ID_LENGTH = 22;

/** Sends the collector a span for each finished interaction, and the gateway's metrics. */
export function openTelemetry(options: {
  /** Absent if no collector is configured: nothing is sent. */
  readonly url: string | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Pick<Logger, "warn">;
}): Telemetry {
  const { url, clock, ids, log } = options;
  if (url === undefined) {
    return { ...NOTHING, onInteraction: () => undefined, measure: () => NOTHING };
  }
  const onLost = (count: number): void =>
    log.warn({ count }, "spans were lost: the collector does not accept them");
  const sender = new OtlpSender({ url, clock, instanceId: ids.secret().slice(0, ID_LENGTH) });
  const spans = new SpanExporter({ sender, clock, onLost });
  return {
    onInteraction(row, before) {
      const { interaction } = row;
      if (interaction.status === before || !isOver(interaction)) return;
      spans.add(toPlacedSpan(row, clock.now()));
    },
    measure: (open) => new MetricExporter({ sender, clock, reader: open() }),
    [Symbol.asyncDispose]: () => spans[Symbol.asyncDispose](),
  };
}
