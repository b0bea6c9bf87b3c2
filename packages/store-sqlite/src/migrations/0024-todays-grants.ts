import type { Migration } from "./migration.ts";

/**
 * Which later calls a grant covers was decided otherwise in earlier versions: such a grant stood in the list and covered
 * nothing. Those of approvals are asked for again; rules, which a person has written, stay.
 */
export const todaysGrants: Migration = {
  version: 24,
  sql: "DELETE FROM grants WHERE json_extract(json, '$.grant.rule') IS NULL",
};
