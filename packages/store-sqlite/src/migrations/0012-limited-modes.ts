import type { Migration } from "./migration.ts";

/**
 * The sessions whose permission mode ends by itself, by their ends. Sessions of before that are in the mode that allows
 * everything have no end: theirs is over with this step.
 */
export const limitedModes: Migration = {
  version: 12,
  sql: `
    UPDATE sessions SET json = json_set(json, '$.limitedMode', json_object(
      'mode', 'bypassPermissions', 'endsAt', '1970-01-01T00:00:00.000Z', 'into', 'default'))
    WHERE json_extract(json, '$.permissionMode') = 'bypassPermissions';
    CREATE INDEX sessions_by_mode_end ON sessions (json_extract(json, '$.limitedMode.endsAt'))
      WHERE json_extract(json, '$.limitedMode.endsAt') IS NOT NULL;
  `,
};
