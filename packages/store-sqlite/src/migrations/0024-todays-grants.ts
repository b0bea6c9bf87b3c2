import type { Migration } from "./migration.ts";

/**
 * Earlier versions matched later calls to grants differently, so their grants would be listed but cover nothing. Those
 * from approvals are deleted, so that people are asked again. Rules, which a person wrote, stay.
 */
export const todaysGrants: Migration = {
  version: 24,
  sql: "DELETE FROM grants WHERE json_extract(json, '$.grant.rule') IS NULL",
};
