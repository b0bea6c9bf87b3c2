import type { Migration } from "./migration.ts";

/**
 * The request is the largest part of an interaction, never changes, and is in the log. A row refers to that event, and
 * stores only the parts that change.
 *
 * - `request_seq` is the `seq` of the interaction's `interaction_request` event. A row that was written without that
 *   event has its request in `request`, as `{"interaction": …}`.
 * - `json` is the rest of the row. Its `interaction` has only the fields that change and have no column.
 * - `stage` is the number of the status, except that an answered interaction stays in the stage of the pending ones
 *   until it is delivered, so that a response writes no index. It replaces `is_open`.
 * - Indexes contain the start time without the id, which would be the larger part of an entry. The few interactions
 *   asked in the same millisecond are sorted when they are read.
 */
export const requestsInTheLog: Migration = {
  version: 6,
  sql: `
    CREATE TABLE new_interactions (
      interaction_number INTEGER PRIMARY KEY,
      interaction_id TEXT NOT NULL UNIQUE,
      session_number INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      request_seq INTEGER,
      tool_call_id TEXT NOT NULL,
      is_of_gateway_tool INTEGER NOT NULL,
      takes_late_answer INTEGER NOT NULL,
      started_at_ms INTEGER NOT NULL,
      status INTEGER NOT NULL,
      stage INTEGER NOT NULL,
      hold TEXT NOT NULL,
      deadline_at_ms INTEGER,
      json TEXT NOT NULL,
      request TEXT,
      CHECK ((request_seq IS NULL) <> (request IS NULL))
    ) STRICT;
    CREATE TEMP TABLE requests (
      interaction_id TEXT, session_number INTEGER, seq INTEGER, PRIMARY KEY (interaction_id, session_number)
    ) WITHOUT ROWID;
    INSERT OR IGNORE INTO requests
      SELECT json_extract(json, '$.interaction.interactionId'), place >> 32, place & 4294967295 FROM events
      WHERE instr(json, '"interaction_request"') > 0 AND json_extract(json, '$.type') = 'interaction_request';
    INSERT INTO new_interactions
      SELECT interaction_number, interaction_id, session_number, requests.seq, tool_call_id, is_of_gateway_tool,
        coalesce(json_extract(json, '$.interaction.onTimeout') = 'wait', 0), started_at_ms,
        status, CASE status WHEN 2 THEN 3 ELSE status END, hold, deadline_at_ms,
        json_remove(json, '$.interaction.interactionId', '$.interaction.sessionId', '$.interaction.turnId',
          '$.interaction.toolCallId', '$.interaction.toolName', '$.interaction.agentId', '$.interaction.askedBy',
          '$.interaction.kind', '$.interaction.status', '$.interaction.prompt', '$.interaction.previousId',
          '$.interaction.attempt', '$.interaction.error', '$.interaction.fieldErrors', '$.interaction.approval',
          '$.interaction.questions', '$.interaction.form', '$.interaction.presentation',
          '$.interaction.completedView', '$.interaction.startedAt', '$.interaction.onTimeout', '$.interaction.hold'),
        CASE WHEN requests.seq IS NULL THEN
          json_object('interaction', json_remove(json_extract(json, '$.interaction'), '$.status', '$.hold',
            '$.deadlineAt', '$.response', '$.by', '$.how', '$.failure', '$.closedReason'))
        END
      FROM interactions LEFT JOIN requests USING (interaction_id, session_number)
      ORDER BY interaction_number;
    DROP TABLE requests;
    DROP TABLE interactions;
    ALTER TABLE new_interactions RENAME TO interactions;
    CREATE INDEX interactions_by_stage ON interactions (stage, started_at_ms, deadline_at_ms);
    CREATE INDEX interactions_by_session ON interactions (session_number, stage, started_at_ms);
    CREATE INDEX interactions_by_tool_call ON interactions (session_number, tool_call_id)
      WHERE is_of_gateway_tool = 1;
  `,
};
