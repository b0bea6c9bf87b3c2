import type { Clock, GatewayOptions } from "@holdpoint/engine";
import type { Logger } from "pino";

import { VERSION } from "../version.ts";
import { isOver, toSpan } from "./interaction-span.ts";
import { OtlpExporter } from "./otlp-exporter.ts";

export interface Telemetry extends AsyncDisposable {
  readonly onInteraction: NonNullable<GatewayOptions["onInteraction"]>;
}

/** Sends a span to the collector for each interaction that is over. */
export function openTelemetry(options: {
  /** Absent where nobody has named a collector: nothing is done then. */
  readonly url: string | undefined;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}): Telemetry {
  const { url, clock, log } = options;
  if (url === undefined) {
    return { onInteraction: ignore, [Symbol.asyncDispose]: async () => ignore() };
  }
  const onLost = (count: number): void =>
    log.warn({ count }, "spans were lost: the collector does not take them");
  const exporter = new OtlpExporter({ url, clock, version: VERSION, onLost });
  return {
    onInteraction(row, before) {
      const { interaction } = row;
      if (interaction.status === before || !isOver(interaction)) return;
      exporter.add(toSpan(row, clock.now()));
    },
    [Symbol.asyncDispose]: () => exporter[Symbol.asyncDispose](),
  };
}

function ignore(): void {}
