import type { Migration } from "./migration.ts";

/**
 * `epoch` is the history in which the grant was created. `session_number` is set if the grant is valid in one session
 * only.
 */
export const grants: Migration = {
  version: 3,
  sql: `
    CREATE TABLE grants (
      grant_number INTEGER PRIMARY KEY,
      grant_id TEXT NOT NULL UNIQUE,
      epoch TEXT NOT NULL,
      key_hash TEXT NOT NULL,
      session_number INTEGER REFERENCES sessions ON DELETE CASCADE,
      created_at_ms INTEGER NOT NULL,
      expires_at_ms INTEGER,
      last_used_at_ms INTEGER,
      json TEXT NOT NULL
    ) STRICT;
    CREATE INDEX grants_by_key ON grants (key_hash, session_number, created_at_ms, grant_id);
    CREATE INDEX grants_by_session ON grants (session_number) WHERE session_number IS NOT NULL;
    CREATE INDEX grants_by_creation ON grants (created_at_ms, grant_id);
    CREATE INDEX grants_by_expiry ON grants (expires_at_ms) WHERE expires_at_ms IS NOT NULL;
  `,
};
