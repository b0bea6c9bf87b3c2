import type { Migration } from "./migration.ts";

/**
 * A session that belongs to somebody says who sees it, and an interaction that not everybody may answer says whom it names. Both
 * stand in the JSON. No index has them: a response would write it.
 */
export const sessionsOfPeople: Migration = {
  version: 22,
  sql: `
    ALTER TABLE sessions ADD COLUMN seen_by TEXT AS (json_extract(json, '$.seenBy')) VIRTUAL;
    ALTER TABLE interactions ADD COLUMN named TEXT AS (json_extract(json, '$.named')) VIRTUAL;
  `,
};
