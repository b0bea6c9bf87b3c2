import type { Migration } from "./migration.ts";

/**
 * Each event has a hash over itself and the previous event's hash, computed by the database on insert. An event
 * inserted with a hash is a copy and keeps it. Existing logs are chained here. `chained_later` of a session is the
 * `seq` up to which this happened: changes made to those events earlier cannot be detected.
 *
 * `event_hash` is the engine's `chainHash`. As an aggregate, its state is the previous event's hash.
 */
export const chainedEvents: Migration = {
  version: 5,
  sql: `
    CREATE FUNCTION event_hash(previous bytea, session_key text, at_seq bigint, event text)
    RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
      SELECT sha256(convert_to(
        coalesce(encode(previous, 'hex'), repeat('0', 64)) || E'\\n' || session_key || E'\\n'
          || at_seq || E'\\n' || event, 'UTF8'))
    $body$;

    ALTER TABLE sessions ADD COLUMN chained_later bigint NOT NULL DEFAULT 0;
    UPDATE sessions SET chained_later = last_seq;
    ALTER TABLE events ADD COLUMN hash bytea;
    CREATE AGGREGATE chain_of(text, bigint, text) (SFUNC = event_hash, STYPE = bytea);
    UPDATE events SET hash = chained.hash FROM (
      SELECT session_number, seq, chain_of(coalesce(session_id, ''), seq, events.json)
        OVER (PARTITION BY session_number ORDER BY seq ROWS UNBOUNDED PRECEDING) AS hash
      FROM events LEFT JOIN sessions USING (session_number)
    ) AS chained WHERE chained.session_number = events.session_number AND chained.seq = events.seq;
    DROP AGGREGATE chain_of(text, bigint, text);
    ALTER TABLE events ALTER COLUMN hash SET NOT NULL;

    CREATE FUNCTION chain_event() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      IF NEW.hash IS NULL THEN
        NEW.hash := event_hash(
          (SELECT hash FROM events WHERE session_number = NEW.session_number AND seq = NEW.seq - 1),
          (SELECT session_id FROM sessions WHERE session_number = NEW.session_number),
          NEW.seq, NEW.json);
      END IF;
      RETURN NEW;
    END $body$;
    CREATE TRIGGER events_chained BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION chain_event();
  `,
};
