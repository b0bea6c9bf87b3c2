import type { GatewayFigures } from "@holdpoint/engine";
import { interactionKindSchema } from "@holdpoint/protocol";

import type { MetricFamily, Sample } from "./metric-text.ts";

/** The metrics of the gateway itself. */
export function gatewayFamilies(figures: GatewayFigures, nowMs: number): MetricFamily[] {
  return [
    ...pendingFamilies(figures, nowMs),
    ...countedFamilies(figures),
    answerFamily(figures),
    ...sessionFamilies(figures),
  ];
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
      "How long the oldest of them has waited; 0 if there are none.",
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
      "How interactions ended since the start.",
      happened.map(({ kind, happening, count }) => ({ labels: { kind, happening }, value: count })),
    ),
    counter(
      "deliveries_total",
      "How agents got their responses since the start.",
      [...delivered].map(([how, value]) => ({ labels: { how }, value })),
    ),
  ];
}

/** Time to answer, as a histogram. */
export function answerFamily({
  answerSeconds: { bounds, counts, sum },
}: GatewayFigures): MetricFamily {
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

export function gauge(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: "gauge", samples };
}

function counter(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: "counter", samples };
}
