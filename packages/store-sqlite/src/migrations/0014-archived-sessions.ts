import type { Migration } from "./migration.ts";

/**
 * Two lists of sessions, each with its own index, so that many archived sessions do not slow down the list of current
 * ones. A session is in one list, so a write costs no more than with the previous index. Queries over both lists sort a
 * page of each.
 */
export const archivedSessions: Migration = {
  version: 14,
  sql: `
    ALTER TABLE sessions ADD COLUMN is_archived INTEGER
      AS (json_extract(json, '$.archivedAt') IS NOT NULL) VIRTUAL;
    DROP INDEX sessions_by_update;
    CREATE INDEX sessions_kept ON sessions (updated_at_ms, session_id) WHERE is_archived = 0;
    CREATE INDEX sessions_archived ON sessions (updated_at_ms, session_id) WHERE is_archived = 1;
  `,
};
