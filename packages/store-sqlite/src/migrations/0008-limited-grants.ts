import type { Migration } from "./migration.ts";

/**
 * The number of calls that a grant still covers; NULL for any number. It is a separate column, so that a use does not
 * rewrite the JSON.
 */
export const limitedGrants: Migration = {
  version: 8,
  sql: `
    ALTER TABLE grants ADD COLUMN uses_left INTEGER;
  `,
};
