import type { Migration } from "./migration.ts";

/** Interactions snoozed by a person until a given time. A row is deleted with its interaction. */
export const snoozes: Migration = {
  version: 13,
  sql: `
    CREATE TABLE snoozes (
      interaction_number INTEGER NOT NULL REFERENCES interactions ON DELETE CASCADE,
      person TEXT NOT NULL,
      interaction_id TEXT NOT NULL,
      until_ms INTEGER NOT NULL,
      PRIMARY KEY (interaction_number, person)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX snoozes_by_person ON snoozes (person, until_ms);
    CREATE INDEX snoozes_by_end ON snoozes (until_ms);
  `,
};
