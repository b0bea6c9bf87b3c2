import type { Migration } from "./migration.ts";

/**
 * A late interaction leaves the overview some time after it was closed. `due_at_ms` is the deadline of a pending
 * interaction and the closing time of a late one; for existing late ones it is the time of this step. Interactions that
 * have left the overview are in their own stage, 6, which lists and counts over all sessions never read.
 */
export const lateAges: Migration = {
  version: 10,
  sql: `
    ALTER TABLE interactions RENAME COLUMN deadline_at_ms TO due_at_ms;
    UPDATE interactions SET due_at_ms = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE stage IN (4, 5);
  `,
};
