import type { Migration } from "./migration.ts";

/**
 * The files attached to messages. The bytes are the last column, so that they are not read with the others. A row is
 * deleted with its session.
 */
export const attachments: Migration = {
  version: 15,
  sql: `
    CREATE TABLE attachments (
      attachment_number INTEGER PRIMARY KEY,
      session_number INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      attachment_id TEXT NOT NULL,
      uploaded_at_ms INTEGER NOT NULL,
      is_sent INTEGER NOT NULL DEFAULT 0,
      size INTEGER NOT NULL,
      json TEXT NOT NULL,
      data BLOB NOT NULL,
      UNIQUE (session_number, attachment_id)
    ) STRICT;
    CREATE INDEX attachments_by_size ON attachments (session_number, size);
    CREATE INDEX attachments_unsent ON attachments (uploaded_at_ms) WHERE is_sent = 0;
  `,
};
