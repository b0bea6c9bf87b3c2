import type { DatabaseSync } from "node:sqlite";

import type { Delivery, NotificationStore, Subscription } from "@holdpoint/notify";

import type { StoreAccess } from "./sqlite-credential-store.ts";
import { toKey } from "./text-key.ts";

interface JsonRow {
  readonly json: string;
}

export function createNotificationStore(
  database: DatabaseSync,
  { read, write }: StoreAccess,
): NotificationStore {
  const statements = prepareStatements(database);
  const listAll = <T>(list: () => unknown): Promise<T[]> =>
    read(() => (list() as JsonRow[]).map(({ json }) => JSON.parse(json) as T));
  return {
    listSubscriptions: () => listAll<Subscription>(() => statements.listSubscriptions.all()),
    async putSubscription(subscription) {
      const { deviceId, createdAtMs } = subscription;
      const columns = [toKey(deviceId), createdAtMs, JSON.stringify(subscription)];
      return write(() => {
        statements.putSubscription.run(...columns);
        return { keep: true, value: undefined };
      });
    },
    async removeSubscription(deviceId) {
      const key = toKey(deviceId);
      return write(() => {
        const rows = statements.removeDeliveries.run(key).changes;
        const wasThere = statements.removeSubscription.run(key).changes === 1;
        return { keep: wasThere || rows !== 0, value: wasThere };
      });
    },
    listDeliveries: () => listAll<Delivery>(() => statements.listDeliveries.all()),
    async putDeliveries(deliveries) {
      const rows = deliveries.map((delivery) => toColumns(delivery));
      return write(() => {
        for (const columns of rows) statements.putDelivery.run(...columns);
        return { keep: rows.length > 0, value: undefined };
      });
    },
    async removeDeliveries(targetId) {
      const key = toKey(targetId);
      return write(() => {
        const { changes } = statements.removeDeliveries.run(key);
        return { keep: changes !== 0, value: undefined };
      });
    },
    async forgetClosed(beforeMs) {
      return write(() => {
        const { changes } = statements.forgetClosed.run(beforeMs);
        return { keep: changes !== 0, value: undefined };
      });
    },
  };
}

function toColumns(delivery: Delivery): (string | number)[] {
  const { deliveryId, targetId, state, createdAtMs, changedAtMs } = delivery;
  const isClosed = state === "closed" ? 1 : 0;
  const json = JSON.stringify(delivery);
  return [toKey(deliveryId), toKey(targetId), isClosed, createdAtMs, changedAtMs, json];
}

function prepareStatements(database: DatabaseSync) {
  return {
    listSubscriptions: database.prepare(`
      SELECT json FROM notification_subscriptions ORDER BY created_at_ms, device_id`),
    putSubscription: database.prepare(`
      INSERT INTO notification_subscriptions (device_id, created_at_ms, json) VALUES (?, ?, ?)
      ON CONFLICT (device_id) DO UPDATE SET
        created_at_ms = excluded.created_at_ms, json = excluded.json`),
    removeSubscription: database.prepare(`
      DELETE FROM notification_subscriptions WHERE device_id = ?`),
    listDeliveries: database.prepare(`
      SELECT json FROM notification_deliveries WHERE is_closed = 0
      ORDER BY created_at_ms, delivery_id`),
    putDelivery: database.prepare(`
      INSERT INTO notification_deliveries
        (delivery_id, target_id, is_closed, created_at_ms, changed_at_ms, json)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (delivery_id) DO UPDATE SET is_closed = excluded.is_closed,
        changed_at_ms = excluded.changed_at_ms, json = excluded.json`),
    removeDeliveries: database.prepare(`
      DELETE FROM notification_deliveries WHERE target_id = ?`),
    forgetClosed: database.prepare(`
      DELETE FROM notification_deliveries WHERE is_closed = 1 AND changed_at_ms < ?`),
  };
}
