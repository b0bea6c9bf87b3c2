import type { Migration } from "./migration.ts";

export const credentials: Migration = {
  version: 2,
  sql: `
    CREATE TABLE credentials (
      token_id TEXT PRIMARY KEY,
      token_hash TEXT NOT NULL UNIQUE,
      created_at_ms INTEGER NOT NULL,
      last_used_at_ms INTEGER,
      json TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
