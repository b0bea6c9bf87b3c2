import type { Notifications } from "@holdpoint/notify";
import type { MetricFamily } from "@holdpoint/server";

/** Results of sending notifications, without their destinations. */
export function toNotificationMetrics({ figures }: Pick<Notifications, "figures">): MetricFamily {
  return {
    name: "notifications_total",
    help: "Notifications that were tried since the start.",
    type: "counter",
    samples: figures.map(({ by, result, count }) => ({ labels: { by, result }, value: count })),
  };
}
