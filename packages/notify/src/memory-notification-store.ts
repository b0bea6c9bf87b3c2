import type { Delivery, NotificationStore, Subscription } from "./ports/notification-store.ts";

/** Creates a `NotificationStore` in memory. Its subscriptions and deliveries are lost with the process. */
export function createMemoryNotificationStore(): NotificationStore {
  const subscriptions = new Map<string, Subscription>();
  const deliveries = new Map<string, Delivery>();
  const removeDeliveries = (targetId: string): void => {
    for (const [id, row] of deliveries) if (row.targetId === targetId) deliveries.delete(id);
  };
  return {
    async listSubscriptions() {
      return [...subscriptions.values()].toSorted(
        (a, b) => a.createdAtMs - b.createdAtMs || (a.deviceId < b.deviceId ? -1 : 1),
      );
    },
    async putSubscription(subscription) {
      subscriptions.set(subscription.deviceId, { ...subscription });
    },
    async removeSubscription(deviceId) {
      removeDeliveries(deviceId);
      return subscriptions.delete(deviceId);
    },
    async listDeliveries() {
      return [...deliveries.values()]
        .filter(({ state }) => state !== "closed")
        .toSorted(
          (a, b) => a.createdAtMs - b.createdAtMs || (a.deliveryId < b.deliveryId ? -1 : 1),
        );
    },
    async putDeliveries(rows) {
      for (const row of rows) deliveries.set(row.deliveryId, { ...row });
    },
    async removeDeliveries(targetId) {
      removeDeliveries(targetId);
    },
    async forgetClosed(beforeMs) {
      for (const [id, { state, changedAtMs }] of deliveries) {
        if (state === "closed" && changedAtMs < beforeMs) deliveries.delete(id);
      }
    },
  };
}
