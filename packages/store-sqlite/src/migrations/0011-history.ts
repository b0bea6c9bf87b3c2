import type { Migration } from "./migration.ts";

/**
 * Answered interactions by the time of the answer. `words` is the lower-case text for searches; for existing answers it
 * is built from the JSON.
 */
export const history: Migration = {
  version: 11,
  sql: `
    CREATE TABLE answers (
      interaction_number INTEGER PRIMARY KEY REFERENCES interactions ON DELETE CASCADE,
      session_number INTEGER NOT NULL,
      answered_at_ms INTEGER NOT NULL,
      words TEXT NOT NULL
    ) STRICT;
    INSERT INTO answers
      SELECT interaction_number, session_number,
        CAST(round(unixepoch(json ->> '$.interaction.by.at', 'subsec') * 1000) AS INTEGER),
        lower(substr(concat_ws(char(10),
          request ->> '$.interaction.toolName', request ->> '$.interaction.prompt',
          json ->> '$.interaction.by.person', json ->> '$.interaction.by.client',
          json ->> '$.interaction.response', request ->> '$.interaction.approval.input',
          request ->> '$.interaction.questions'), 1, 4000))
      FROM (
        SELECT interaction_number, session_number, json, coalesce(request, (
          SELECT json FROM events WHERE place = (session_number << 32) + request_seq
        )) AS request
        FROM interactions WHERE status IN (1, 2)
      )
      WHERE unixepoch(json ->> '$.interaction.by.at') IS NOT NULL;
    CREATE INDEX answers_by_time ON answers (answered_at_ms, interaction_number);
  `,
};
