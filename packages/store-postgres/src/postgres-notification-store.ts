import type { Delivery, NotificationStore, Subscription } from "@holdpoint/notify";

import type { JsonRow, StoreAccess } from "./access.ts";
import { toKey } from "./text-key.ts";
import { toWhole } from "./whole-number.ts";

export function createNotificationStore({ read, write }: StoreAccess): NotificationStore {
  return {
    async listSubscriptions() {
      const rows = await read<JsonRow>(
        "SELECT json FROM notification_subscriptions ORDER BY created_at_ms, device_id",
      );
      return rows.map((row) => JSON.parse(row.json) as Subscription);
    },
    async putSubscription(subscription) {
      const { deviceId, createdAtMs } = subscription;
      const json = JSON.stringify(subscription);
      await write({ call: "subscription", with: { key: toKey(deviceId), createdAtMs, json } });
    },
    async removeSubscription(deviceId) {
      return write({ call: "no_subscription", with: { key: toKey(deviceId) } });
    },
    async listDeliveries() {
      const rows = await read<JsonRow>(`
        SELECT json FROM notification_deliveries WHERE NOT is_closed
        ORDER BY created_at_ms, delivery_id`);
      return rows.map((row) => JSON.parse(row.json) as Delivery);
    },
    async putDeliveries(deliveries) {
      if (deliveries.length === 0) return;
      const rows = deliveries.map((delivery) => ({
        key: toKey(delivery.deliveryId),
        target: toKey(delivery.targetId),
        isClosed: delivery.state === "closed",
        createdAtMs: delivery.createdAtMs,
        changedAtMs: delivery.changedAtMs,
        json: JSON.stringify(delivery),
      }));
      await write({ call: "deliveries", with: rows });
    },
    async removeDeliveries(targetId) {
      await write({ call: "no_deliveries", with: { target: toKey(targetId) } });
    },
    async forgetClosed(beforeMs) {
      const closedBeforeMs = toWhole(Math.ceil(beforeMs));
      await write({ call: "no_deliveries", with: { closedBeforeMs } });
    },
  };
}
