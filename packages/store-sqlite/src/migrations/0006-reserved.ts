import type { Migration } from "./migration.ts";

/** Changes nothing. */
export const reserved: Migration = { version: 6, sql: "SELECT 1;" };
