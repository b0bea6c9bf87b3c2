import type { Migration } from "./migration.ts";

/**
 * An interaction changes its status three times in a moment, then never again. Open interactions have their own small
 * indexes, so that each change writes the same few pages regardless of the number of finished ones.
 */
export const openInteractions: Migration = {
  version: 4,
  sql: `
    DROP INDEX interactions_by_status;
    DROP INDEX interactions_by_session;
    CREATE INDEX interactions_open ON interactions (status, started_at_ms, interaction_id)
      WHERE status NOT IN ('delivered', 'withdrawn');
    CREATE INDEX interactions_open_by_session
      ON interactions (session_number, status, started_at_ms, interaction_id)
      WHERE status NOT IN ('delivered', 'withdrawn');
    CREATE INDEX interactions_finished ON interactions (status, started_at_ms, interaction_id)
      WHERE status IN ('delivered', 'withdrawn');
    CREATE INDEX interactions_finished_by_session
      ON interactions (session_number, status, started_at_ms, interaction_id)
      WHERE status IN ('delivered', 'withdrawn');
  `,
};
