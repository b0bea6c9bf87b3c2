import type { Migration } from "./migration.ts";

/**
 * A credential has the seal of the gateway that created it. Existing ones have none, so their devices, programs and
 * agents must sign in again.
 */
export const sealedCredentials: Migration = {
  version: 7,
  sql: `
    ALTER TABLE credentials ADD COLUMN seal TEXT NOT NULL DEFAULT '';
  `,
};
