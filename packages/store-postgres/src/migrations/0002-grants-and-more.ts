import type { Migration } from "./migration.ts";

/** Data that outlives a session: grants, credentials, notifications and callbacks. */
export const grantsAndMore: Migration = {
  version: 2,
  sql: `
    CREATE TABLE grants (
      grant_id text COLLATE "C" PRIMARY KEY,
      key_hash text COLLATE "C" NOT NULL,
      session_number bigint REFERENCES sessions ON DELETE CASCADE,
      created_at_ms bigint NOT NULL,
      expires_at_ms bigint,
      last_used_at_ms bigint,
      uses_left bigint,
      json text NOT NULL
    ) WITH (fillfactor = 70);
    CREATE INDEX grants_by_key ON grants (key_hash, session_number, created_at_ms, grant_id);
    CREATE INDEX grants_by_session ON grants (session_number) WHERE session_number IS NOT NULL;
    CREATE INDEX grants_by_creation ON grants (created_at_ms, grant_id);
    CREATE INDEX grants_by_expiry ON grants (expires_at_ms) WHERE expires_at_ms IS NOT NULL;

    CREATE TABLE credentials (
      token_id text COLLATE "C" PRIMARY KEY,
      token_hash text COLLATE "C" NOT NULL UNIQUE,
      created_at_ms bigint NOT NULL,
      last_used_at_ms bigint,
      json text NOT NULL
    );

    CREATE TABLE notification_subscriptions (
      device_id text COLLATE "C" PRIMARY KEY,
      created_at_ms bigint NOT NULL,
      json text NOT NULL
    );
    CREATE TABLE notification_deliveries (
      delivery_id text COLLATE "C" PRIMARY KEY,
      target_id text COLLATE "C" NOT NULL,
      is_closed boolean NOT NULL,
      created_at_ms bigint NOT NULL,
      changed_at_ms bigint NOT NULL,
      json text NOT NULL
    );
    CREATE INDEX deliveries_open ON notification_deliveries (created_at_ms, delivery_id)
      WHERE NOT is_closed;
    CREATE INDEX deliveries_closed ON notification_deliveries (changed_at_ms) WHERE is_closed;
    CREATE INDEX deliveries_by_target ON notification_deliveries (target_id);

    CREATE TABLE ask_callbacks (
      interaction_id text COLLATE "C" PRIMARY KEY,
      is_open boolean NOT NULL,
      created_at_ms bigint NOT NULL,
      changed_at_ms bigint NOT NULL,
      json text NOT NULL
    );
    CREATE INDEX open_ask_callbacks ON ask_callbacks (created_at_ms) WHERE is_open;
    CREATE INDEX done_ask_callbacks ON ask_callbacks (changed_at_ms) WHERE NOT is_open;
  `,
};
