import type { Migration } from "./migration.ts";

/** How many calls a grant still covers; NULL for any number. It stands beside the text, so that a use does not rewrite it. */
export const limitedGrants: Migration = {
  version: 8,
  sql: `
    ALTER TABLE grants ADD COLUMN uses_left INTEGER;
  `,
};
