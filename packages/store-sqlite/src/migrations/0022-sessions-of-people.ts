import type { Migration } from "./migration.ts";

/**
 * A session with an owner names the people who see it, and an interaction with limited responders names them. Both are
 * in the JSON, without an index, since a response would write it.
 */
export const sessionsOfPeople: Migration = {
  version: 22,
  sql: `
    ALTER TABLE sessions ADD COLUMN seen_by TEXT AS (json_extract(json, '$.seenBy')) VIRTUAL;
    ALTER TABLE interactions ADD COLUMN named TEXT AS (json_extract(json, '$.named')) VIRTUAL;
  `,
};
