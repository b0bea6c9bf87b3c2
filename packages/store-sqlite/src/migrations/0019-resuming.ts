import type { Migration } from "./migration.ts";

/** What was answered while it was parked and has reached no agent: it is looked for before each turn, however much else was answered. */
export const resuming: Migration = {
  version: 19,
  sql: `
    CREATE INDEX interactions_resuming ON interactions (session_number, started_at_ms)
      WHERE status = 2 AND hold = 'parked';
  `,
};
