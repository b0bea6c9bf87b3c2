import type { Migration } from "./migration.ts";

/**
 * The notification subscriptions of devices, and the state of each notification. Neither is part of the history: a
 * notification about a lost request is withdrawn.
 */
export const notifications: Migration = {
  version: 9,
  sql: `
    CREATE TABLE notification_subscriptions (
      device_id TEXT PRIMARY KEY,
      created_at_ms INTEGER NOT NULL,
      json TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE notification_deliveries (
      delivery_id TEXT PRIMARY KEY,
      target_id TEXT NOT NULL,
      is_closed INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      changed_at_ms INTEGER NOT NULL,
      json TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deliveries_open ON notification_deliveries (created_at_ms, delivery_id)
      WHERE is_closed = 0;
    CREATE INDEX deliveries_closed ON notification_deliveries (changed_at_ms) WHERE is_closed = 1;
    CREATE INDEX deliveries_by_target ON notification_deliveries (target_id);
  `,
};
