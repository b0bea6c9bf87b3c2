import type { Migration } from "./migration.ts";

/**
 * A session with an owner names the people who see it, and an interaction with limited responders names them. Both are
 * in the JSON, which is only parsed if it has them. There is no index, since a response would write it.
 */
export const sessionsOfPeople: Migration = {
  version: 8,
  sql: `
    CREATE FUNCTION seen_by_of(stored text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $body$
      SELECT CASE WHEN position('"seenBy":' IN stored) > 0 THEN (
        SELECT array_agg(key) FROM json_array_elements_text(readable(stored) -> 'seenBy') AS key) END
    $body$;

    CREATE FUNCTION named_of(stored text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $body$
      SELECT CASE WHEN position('"named":' IN stored) > 0
        THEN (readable(stored) -> 'named')::jsonb END
    $body$;

    CREATE FUNCTION is_named(named jsonb, names text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $body$
      SELECT named IS NOT NULL AND jsonb_array_length(named) > 0 AND NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements(named) AS circle WHERE NOT circle ?| names)
    $body$;

    ALTER TABLE sessions ADD COLUMN seen_by text[] GENERATED ALWAYS AS (seen_by_of(json)) STORED;
    ALTER TABLE interactions ADD COLUMN named jsonb GENERATED ALWAYS AS (named_of(json)) STORED;
  `,
};
