import type { Migration } from "./migration.ts";

/**
 * Answers are stored in time order without an index, so that a response writes one page less. `place` is the time of
 * the answer times 2^20, plus a number among the answers of the same millisecond. `answer_place` of an interaction
 * refers to its answer. There is no foreign key, since it would need an index.
 */
export const answersInOrder: Migration = {
  version: 18,
  sql: `
    CREATE TABLE placed_answers (
      place INTEGER PRIMARY KEY,
      interaction_number INTEGER NOT NULL,
      session_number INTEGER NOT NULL,
      words TEXT NOT NULL
    ) STRICT;
    INSERT INTO placed_answers
      SELECT (answered_at_ms << 20) - 1
          + row_number() OVER (PARTITION BY answered_at_ms ORDER BY interaction_number) AS place,
        interaction_number, session_number, words
      FROM answers ORDER BY place;
    ALTER TABLE interactions ADD COLUMN answer_place INTEGER;
    UPDATE interactions SET answer_place = answer.place
    FROM placed_answers AS answer WHERE answer.interaction_number = interactions.interaction_number;
    DROP TABLE answers;
    ALTER TABLE placed_answers RENAME TO answers;
  `,
};
