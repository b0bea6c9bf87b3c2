import type { Migration } from "./migration.ts";

/**
 * Adds the filterable facts to answers. They precede the words, so that they are read without the pages of a long text.
 * They have no index, since a response would write one more page for each.
 */
export const filteredAnswers: Migration = {
  version: 21,
  sql: `
    CREATE TABLE filtered_answers (
      place INTEGER PRIMARY KEY,
      interaction_number INTEGER NOT NULL,
      session_number INTEGER NOT NULL,
      person TEXT NOT NULL,
      agent TEXT NOT NULL,
      tool TEXT NOT NULL,
      action TEXT NOT NULL,
      words TEXT NOT NULL
    ) STRICT;
    INSERT INTO filtered_answers
      SELECT answers.place, interaction_number, answers.session_number,
        coalesce(asked.json ->> '$.interaction.by.person', ''),
        coalesce(sessions.json ->> '$.agent', ''),
        coalesce(coalesce(asked.request, (
          SELECT events.json FROM events
          WHERE events.place = (asked.session_number << 32) + request_seq
        )) ->> '$.interaction.toolName', ''),
        coalesce(asked.json ->> '$.interaction.response.action', ''),
        words
      FROM answers JOIN interactions AS asked USING (interaction_number)
        JOIN sessions ON sessions.session_number = answers.session_number
      ORDER BY answers.place;
    DROP TABLE answers;
    ALTER TABLE filtered_answers RENAME TO answers;
  `,
};
