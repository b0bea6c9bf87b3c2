import type { Migration } from "./migration.ts";

/** The callbacks for finished asks of programs. A row is written before its ask, so it has no session yet. */
export const callbacks: Migration = {
  version: 16,
  sql: `
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
