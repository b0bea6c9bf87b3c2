import type { Migration } from "./migration.ts";

/**
 * An index of sessions whose permission mode is limited in time, by its end. Existing sessions in the mode that allows
 * everything have no end, so theirs ends with this step.
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
