import type { Migration } from "./migration.ts";

/**
 * An index of interactions that were answered while parked and not delivered to an agent. They are looked up before
 * each turn, which stays fast with many other answers.
 */
export const resuming: Migration = {
  version: 19,
  sql: `
    CREATE INDEX interactions_resuming ON interactions (session_number, started_at_ms)
      WHERE status = 2 AND hold = 'parked';
  `,
};
