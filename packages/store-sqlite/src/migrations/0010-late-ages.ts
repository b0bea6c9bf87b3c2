import type { Migration } from "./migration.ts";

/**
 * A late interaction leaves the overview some time after it was closed. `due_at_ms` is the deadline of a pending interaction,
 * and of a late one the instant when it was closed; for those of before it is the instant of this step. Who has left the
 * overview is in a stage of its own, 6: lists and counts over all sessions never read it.
 */
export const lateAges: Migration = {
  version: 10,
  sql: `
    ALTER TABLE interactions RENAME COLUMN deadline_at_ms TO due_at_ms;
    UPDATE interactions SET due_at_ms = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE stage IN (4, 5);
  `,
};
