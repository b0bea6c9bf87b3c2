import type { Migration } from "./migration.ts";

/**
 * Changing an interaction writes a page of each index that it affects, so there are only the indexes that queries need.
 *
 * - `status` is a number. Its order follows the usual path from pending to delivered, so an interaction that moves
 *   stays in the same few pages of `interactions_by_status`. That index includes deadlines, to find due interactions.
 * - `is_open` becomes 0 with a final status, so that a response does not write `interactions_by_session`. A session's
 *   open interactions sort directly after its newest final ones.
 * - A tool call is looked up among the session's interactions that are not final. Final ones are only needed for
 *   interactions asked by gateway tools.
 */
export const fewerIndexes: Migration = {
  version: 5,
  sql: `
    CREATE TABLE new_interactions (
      interaction_number INTEGER PRIMARY KEY,
      interaction_id TEXT NOT NULL UNIQUE,
      session_number INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      tool_call_id TEXT NOT NULL,
      is_of_gateway_tool INTEGER NOT NULL,
      status INTEGER NOT NULL,
      hold TEXT NOT NULL,
      is_open INTEGER NOT NULL,
      started_at_ms INTEGER NOT NULL,
      deadline_at_ms INTEGER,
      json TEXT NOT NULL
    ) STRICT;
    INSERT INTO new_interactions
      SELECT interaction_number, interaction_id, session_number, tool_call_id,
        json_extract(json, '$.call') IS NOT NULL,
        CASE status WHEN 'withdrawn' THEN 0 WHEN 'delivered' THEN 1 WHEN 'answered' THEN 2
          WHEN 'pending' THEN 3 WHEN 'expired' THEN 4 WHEN 'orphaned' THEN 5 END,
        coalesce(json_extract(json, '$.interaction.hold'), 'held'),
        status NOT IN ('delivered', 'withdrawn'), started_at_ms, deadline_at_ms, json
      FROM interactions ORDER BY interaction_number;
    DROP TABLE interactions;
    ALTER TABLE new_interactions RENAME TO interactions;
    CREATE INDEX interactions_by_status
      ON interactions (status, started_at_ms, interaction_id, deadline_at_ms);
    CREATE INDEX interactions_by_session
      ON interactions (session_number, is_open, started_at_ms, interaction_id);
    CREATE INDEX interactions_by_tool_call
      ON interactions (session_number, tool_call_id, started_at_ms, interaction_id)
      WHERE is_of_gateway_tool = 1;

    ALTER TABLE sessions ADD COLUMN is_busy INTEGER NOT NULL DEFAULT 0;
    UPDATE sessions SET is_busy = 1 WHERE json_extract(json, '$.status') <> 'idle';
    CREATE INDEX sessions_busy ON sessions (updated_at_ms, session_id) WHERE is_busy = 1;
  `,
};
