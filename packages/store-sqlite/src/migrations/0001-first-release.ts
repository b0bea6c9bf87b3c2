import type { Migration } from "./migration.ts";

/**
 * The schema of the first release. Rows are JSON; the other columns exist for queries. Ids in columns are keys from
 * `toKey`. Each index that contains a changed column costs a page with every write, so there are only the indexes that
 * queries need.
 */
export const firstRelease: Migration = {
  version: 1,
  sql: `
    -- The identity and position of the history, in one row.
    CREATE TABLE history (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch TEXT NOT NULL,
      generation INTEGER NOT NULL
    ) STRICT;
    INSERT INTO history (id, epoch, generation) VALUES (1, lower(hex(randomblob(16))), 0);

    CREATE TABLE sessions (
      -- Small enough for every event's place to be a safe integer.
      session_number INTEGER PRIMARY KEY CHECK (session_number < 2097152),
      session_id TEXT NOT NULL UNIQUE,
      updated_at_ms INTEGER NOT NULL,
      is_busy INTEGER NOT NULL,
      json TEXT NOT NULL,
      is_archived INTEGER AS (json_extract(json, '$.archivedAt') IS NOT NULL) VIRTUAL,
      -- The people who see a session that has an owner.
      seen_by TEXT AS (json_extract(json, '$.seenBy')) VIRTUAL
    ) STRICT;
    -- Two lists, so that many archived sessions do not slow down the list of current ones.
    CREATE INDEX sessions_kept ON sessions (updated_at_ms, session_id) WHERE is_archived = 0;
    CREATE INDEX sessions_archived ON sessions (updated_at_ms, session_id) WHERE is_archived = 1;
    CREATE INDEX sessions_busy ON sessions (updated_at_ms, session_id) WHERE is_busy = 1;
    CREATE INDEX sessions_by_mode_end ON sessions (json_extract(json, '$.limitedMode.endsAt'))
      WHERE json_extract(json, '$.limitedMode.endsAt') IS NOT NULL;

    -- The sessions of each key in seen_by. Sessions that everyone sees have the key "everybody".
    CREATE TABLE sharing (
      key TEXT NOT NULL,
      session_number INTEGER NOT NULL,
      PRIMARY KEY (key, session_number)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER session_shared AFTER INSERT ON sessions BEGIN
      INSERT INTO sharing
        SELECT DISTINCT value, NEW.session_number FROM json_each(coalesce(NEW.seen_by, '["everybody"]'));
    END;
    CREATE TRIGGER session_shared_otherwise AFTER UPDATE OF json ON sessions
    WHEN OLD.seen_by IS NOT NEW.seen_by BEGIN
      DELETE FROM sharing WHERE session_number = OLD.session_number
        AND key IN (SELECT value FROM json_each(coalesce(OLD.seen_by, '["everybody"]')));
      INSERT INTO sharing
        SELECT DISTINCT value, NEW.session_number FROM json_each(coalesce(NEW.seen_by, '["everybody"]'));
    END;
    CREATE TRIGGER session_shared_no_more AFTER DELETE ON sessions BEGIN
      DELETE FROM sharing WHERE session_number = OLD.session_number
        AND key IN (SELECT value FROM json_each(coalesce(OLD.seen_by, '["everybody"]')));
    END;

    CREATE TABLE events (
      -- session_number * 2^32 + seq: one key keeps each log together and in order.
      place INTEGER PRIMARY KEY,
      -- Covers the event and the previous event's hash. Stands before the text, so that it is read without it.
      hash BLOB NOT NULL,
      json TEXT NOT NULL
    ) STRICT;

    CREATE TABLE interactions (
      interaction_number INTEGER PRIMARY KEY,
      interaction_id TEXT NOT NULL UNIQUE,
      session_number INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      -- The seq of the interaction_request event, which has the request.
      request_seq INTEGER,
      tool_call_id TEXT NOT NULL,
      is_of_gateway_tool INTEGER NOT NULL,
      takes_late_answer INTEGER NOT NULL,
      started_at_ms INTEGER NOT NULL,
      -- A number, see status-number.ts.
      status INTEGER NOT NULL,
      -- The number of the status, but an answered interaction stays in the stage of the pending ones until it is
      -- delivered, so that a response writes no index. 6 if it has left the overview.
      stage INTEGER NOT NULL,
      hold TEXT NOT NULL,
      -- The deadline of a pending interaction, the closing time of a late one.
      due_at_ms INTEGER,
      -- The place of its answer, without a foreign key, which would need an index.
      answer_place INTEGER,
      -- The fields that change and have no column.
      json TEXT NOT NULL,
      -- The request of an interaction without an interaction_request event.
      request TEXT,
      -- The people named by limited responders.
      named TEXT AS (json_extract(json, '$.named')) VIRTUAL,
      CHECK ((request_seq IS NULL) <> (request IS NULL))
    ) STRICT;
    -- The start time without the id, which would be most of an entry: the few interactions of one millisecond are
    -- sorted when they are read.
    CREATE INDEX interactions_by_stage ON interactions (stage, started_at_ms, due_at_ms);
    CREATE INDEX interactions_by_session ON interactions (session_number, stage, started_at_ms);
    CREATE INDEX interactions_by_tool_call ON interactions (session_number, tool_call_id)
      WHERE is_of_gateway_tool = 1;
    -- Answered while parked, and not delivered to an agent.
    CREATE INDEX interactions_resuming ON interactions (session_number, started_at_ms)
      WHERE status = 2 AND hold = 'parked';

    -- The history of answers. The filterable facts have no indexes and stand before the text.
    CREATE TABLE answers (
      -- The time of the answer in milliseconds * 2^20, plus a number within the millisecond.
      place INTEGER PRIMARY KEY,
      interaction_number INTEGER NOT NULL,
      session_number INTEGER NOT NULL,
      person TEXT NOT NULL,
      agent TEXT NOT NULL,
      tool TEXT NOT NULL,
      action TEXT NOT NULL,
      -- The lower-case text for searches.
      words TEXT NOT NULL
    ) STRICT;

    CREATE TABLE snoozes (
      interaction_number INTEGER NOT NULL REFERENCES interactions ON DELETE CASCADE,
      person TEXT NOT NULL,
      interaction_id TEXT NOT NULL,
      until_ms INTEGER NOT NULL,
      PRIMARY KEY (interaction_number, person)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX snoozes_by_person ON snoozes (person, until_ms);
    CREATE INDEX snoozes_by_end ON snoozes (until_ms);

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

    -- The files of messages.
    CREATE TABLE attachments (
      attachment_number INTEGER PRIMARY KEY,
      session_number INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      attachment_id TEXT NOT NULL,
      uploaded_at_ms INTEGER NOT NULL,
      -- How many messages carry the file.
      message_count INTEGER NOT NULL DEFAULT 0,
      size INTEGER NOT NULL,
      json TEXT NOT NULL,
      data BLOB NOT NULL,
      UNIQUE (session_number, attachment_id)
    ) STRICT;
    CREATE INDEX attachments_by_size ON attachments (session_number, size);
    CREATE INDEX attachments_unsent ON attachments (uploaded_at_ms) WHERE message_count = 0;

    CREATE TABLE grants (
      grant_number INTEGER PRIMARY KEY,
      grant_id TEXT NOT NULL UNIQUE,
      -- The history in which the grant was created.
      epoch TEXT NOT NULL,
      key_hash TEXT NOT NULL,
      -- Set if the grant is valid in one session only.
      session_number INTEGER REFERENCES sessions ON DELETE CASCADE,
      created_at_ms INTEGER NOT NULL,
      expires_at_ms INTEGER,
      last_used_at_ms INTEGER,
      -- The number of calls that the grant still covers; NULL for any number.
      uses_left INTEGER,
      json TEXT NOT NULL
    ) STRICT;
    CREATE INDEX grants_by_key ON grants (key_hash, session_number, created_at_ms, grant_id);
    CREATE INDEX grants_by_session ON grants (session_number) WHERE session_number IS NOT NULL;
    CREATE INDEX grants_by_creation ON grants (created_at_ms, grant_id);
    CREATE INDEX grants_by_expiry ON grants (expires_at_ms) WHERE expires_at_ms IS NOT NULL;

    CREATE TABLE credentials (
      token_id TEXT PRIMARY KEY,
      token_hash TEXT NOT NULL UNIQUE,
      created_at_ms INTEGER NOT NULL,
      last_used_at_ms INTEGER,
      json TEXT NOT NULL,
      -- The seal of the gateway that created the credential.
      seal TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

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

    -- The callbacks for finished asks of programs. A row is written before its ask, so it has no session yet.
    CREATE TABLE ask_callbacks (
      interaction_id TEXT PRIMARY KEY,
      is_open INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      changed_at_ms INTEGER NOT NULL,
      json TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX open_ask_callbacks ON ask_callbacks (created_at_ms) WHERE is_open = 1;
    CREATE INDEX done_ask_callbacks ON ask_callbacks (changed_at_ms) WHERE is_open = 0;
  `,
};
