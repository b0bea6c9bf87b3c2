import type { Migration } from "./migration.ts";

/**
 * The files that messages carry. The bytes come last in a row, so that nothing of them is read with the rest. A row goes with
 * its session.
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
