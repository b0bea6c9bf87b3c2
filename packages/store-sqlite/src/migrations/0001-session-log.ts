import type { Migration } from "./migration.ts";

/**
 * The `place` of an event is `session_number * 2^32 + seq`: a single integer key keeps a log together and in order, and
 * an append touches one page. Session numbers stay below 2^21, so that every place is a safe integer.
 *
 * Rows are JSON; the other columns exist for queries. Ids in columns are keys from `toKey`.
 */
export const sessionLog: Migration = {
  version: 1,
  sql: `
    CREATE TABLE history (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch TEXT NOT NULL,
      generation INTEGER NOT NULL
    ) STRICT;
    INSERT INTO history (id, epoch, generation) VALUES (1, lower(hex(randomblob(16))), 0);

    CREATE TABLE sessions (
      session_number INTEGER PRIMARY KEY CHECK (session_number < 2097152),
      session_id TEXT NOT NULL UNIQUE,
      updated_at_ms INTEGER NOT NULL,
      json TEXT NOT NULL
    ) STRICT;
    CREATE INDEX sessions_by_update ON sessions (updated_at_ms, session_id);

    CREATE TABLE events (
      place INTEGER PRIMARY KEY,
      json TEXT NOT NULL
    ) STRICT;

    CREATE TABLE interactions (
      interaction_number INTEGER PRIMARY KEY,
      interaction_id TEXT NOT NULL UNIQUE,
      session_number INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      tool_call_id TEXT NOT NULL,
      status TEXT NOT NULL,
      started_at_ms INTEGER NOT NULL,
      deadline_at_ms INTEGER,
      json TEXT NOT NULL
    ) STRICT;
    CREATE INDEX interactions_by_status ON interactions (status, started_at_ms, interaction_id);
    CREATE INDEX interactions_by_session
      ON interactions (session_number, status, started_at_ms, interaction_id);
    CREATE INDEX interactions_by_tool_call
      ON interactions (session_number, tool_call_id, started_at_ms, interaction_id);
    CREATE INDEX interactions_by_deadline
      ON interactions (deadline_at_ms, started_at_ms, interaction_id)
      WHERE status = 'pending' AND deadline_at_ms IS NOT NULL;

    CREATE TABLE messages (
      message_number INTEGER PRIMARY KEY,
      session_number INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      message_id TEXT NOT NULL,
      idempotency_key TEXT,
      queued INTEGER NOT NULL DEFAULT 1,
      json TEXT NOT NULL,
      UNIQUE (session_number, message_id),
      UNIQUE (session_number, idempotency_key)
    ) STRICT;
    CREATE INDEX messages_queued ON messages (session_number) WHERE queued = 1;
  `,
};
