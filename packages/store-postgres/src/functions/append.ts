/**
 * The functions that write a batch in one call. The argument of `write_append` comes from `encodeAppend`. A conflict is
 * a result with `conflict`, and the caller must undo the writes made so far.
 */
export const APPEND = String.raw`
  -- Parses a text as JSON, without the escapes that Postgres cannot represent: NUL and lone surrogates.
  CREATE OR REPLACE FUNCTION readable(stored text) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
    SELECT CASE WHEN position('\u' IN stored) = 0 THEN stored::json ELSE regexp_replace(
      stored, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd', 'g')::json END
  $body$;

  -- The people in a session's JSON, which is only parsed if it has some.
  CREATE OR REPLACE FUNCTION seen_by_of(stored text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $body$
    SELECT CASE WHEN position('"seenBy":' IN stored) > 0 THEN (
      SELECT array_agg(key) FROM json_array_elements_text(readable(stored) -> 'seenBy') AS key) END
  $body$;

  -- The people in an interaction's JSON.
  CREATE OR REPLACE FUNCTION named_of(stored text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $body$
    SELECT CASE WHEN position('"named":' IN stored) > 0
      THEN (readable(stored) -> 'named')::jsonb END
  $body$;

  CREATE OR REPLACE FUNCTION is_named(named jsonb, names text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $body$
    SELECT named IS NOT NULL AND jsonb_array_length(named) > 0 AND NOT EXISTS (
      SELECT 1 FROM jsonb_array_elements(named) AS circle WHERE NOT circle ?| names)
  $body$;

  CREATE OR REPLACE FUNCTION request_of(one interactions) RETURNS text LANGUAGE sql STABLE AS $body$
    SELECT coalesce(one.request, (
      SELECT json FROM events WHERE session_number = one.session_number AND seq = one.request_seq))
  $body$;

  -- The engine's chainHash. write_append computes it inline.
  CREATE OR REPLACE FUNCTION event_hash(previous bytea, session_key text, at_seq bigint, event text)
  RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
    SELECT sha256(convert_to(
      coalesce(encode(previous, 'hex'), repeat('0', 64)) || E'\n' || session_key || E'\n'
        || at_seq || E'\n' || event, 'UTF8'))
  $body$;

  -- Locks the session's row, which keeps other writers out until the end of the transaction, and reads only
  -- the parts that the batch has.
  CREATE OR REPLACE FUNCTION write_append(batch jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  DECLARE
    v_key text := batch ->> 'session';
    v_row jsonb := batch -> 'row';
    v_events jsonb := batch -> 'events';
    v_count integer := jsonb_array_length(v_events);
    v_number bigint;
    v_last bigint;
    v_hash bytea;
    v_event text;
    v_conflict jsonb;
  BEGIN
    IF v_row IS NULL THEN
      UPDATE sessions SET last_seq = last_seq + v_count WHERE session_id = v_key
        RETURNING session_number, last_seq - v_count, (
          SELECT hash FROM events WHERE events.session_number = sessions.session_number
            AND seq = sessions.last_seq - v_count) INTO v_number, v_last, v_hash;
      IF NOT FOUND THEN RETURN '{"conflict": {"kind": "no_session"}}'; END IF;
    ELSE
      INSERT INTO sessions (session_id, last_seq, updated_at_ms, is_busy, is_archived,
          mode_ends_at, title, searched, seen_by, json)
        VALUES (v_key, v_count, (v_row ->> 'updatedAtMs')::bigint, (v_row ->> 'isBusy')::boolean,
          (v_row ->> 'isArchived')::boolean, v_row ->> 'modeEndsAt', v_row ->> 'title',
          v_row ->> 'searched', seen_by_of(v_row ->> 'json'), v_row ->> 'json')
        ON CONFLICT (session_id) DO UPDATE SET last_seq = sessions.last_seq + v_count,
          updated_at_ms = excluded.updated_at_ms, is_busy = excluded.is_busy,
          is_archived = excluded.is_archived, mode_ends_at = excluded.mode_ends_at,
          title = excluded.title, searched = excluded.searched, seen_by = excluded.seen_by,
          json = excluded.json
        RETURNING session_number, last_seq - v_count, (
          SELECT hash FROM events WHERE events.session_number = sessions.session_number
            AND seq = sessions.last_seq - v_count) INTO v_number, v_last, v_hash;
    END IF;
    FOR place IN 1 .. v_count LOOP
      v_event := '{"seq":' || (v_last + place) || ',' || substr(v_events ->> (place - 1), 2);
      v_hash := sha256(convert_to(
        coalesce(encode(v_hash, 'hex'), repeat('0', 64)) || E'\n' || v_key || E'\n'
          || (v_last + place) || E'\n' || v_event, 'UTF8'));
      INSERT INTO events (session_number, seq, hash, json)
        VALUES (v_number, v_last + place, v_hash, v_event);
    END LOOP;
    IF batch ? 'interactions' THEN
      v_conflict := write_interactions(v_number, v_last, batch -> 'interactions');
    END IF;
    IF v_conflict IS NULL AND batch ? 'enqueue' THEN
      v_conflict := write_messages(v_number, batch -> 'enqueue');
    END IF;
    IF v_conflict IS NULL AND batch ? 'dequeue' THEN
      v_conflict := take_messages(v_number, batch -> 'dequeue', (batch ->> 'takenBackAtMs')::bigint);
    END IF;
    IF v_conflict IS NULL AND batch ? 'grants' THEN
      v_conflict := write_grants(v_number, batch -> 'grants');
    END IF;
    IF v_conflict IS NOT NULL THEN RETURN jsonb_build_object('conflict', v_conflict); END IF;
    RETURN jsonb_build_object('firstSeq', v_last + 1);
  END $body$;

  CREATE OR REPLACE FUNCTION write_interactions(of_session bigint, last bigint, writes jsonb)
  RETURNS jsonb LANGUAGE plpgsql AS $body$
  DECLARE
    one jsonb;
    v_number bigint;
    v_found record;
    v_answer jsonb;
  BEGIN
    FOR place IN 0 .. jsonb_array_length(writes) - 1 LOOP
      one := writes -> place;
      IF one ->> 'expectedStatus' IS NULL THEN
        INSERT INTO interactions (interaction_id, session_number, request_seq, tool_call_id,
            is_of_gateway_tool, takes_late_answer, started_at_ms, status, stage, hold, resumes,
            due_at_ms, named, json, request)
          VALUES (one ->> 'key', of_session, last + (one ->> 'requestIndex')::bigint + 1,
            one ->> 'toolCallKey', (one ->> 'isOfGatewayTool')::boolean,
            (one ->> 'takesLateAnswer')::boolean, (one ->> 'startedAtMs')::bigint,
            (one ->> 'status')::integer, (one ->> 'stage')::integer, one ->> 'hold',
            (one ->> 'resumes')::boolean, (one ->> 'dueAtMs')::bigint,
            named_of(one ->> 'json'), one ->> 'json', one ->> 'request')
          ON CONFLICT (interaction_id) DO NOTHING RETURNING interaction_number INTO v_number;
      ELSE
        UPDATE interactions SET status = (one ->> 'status')::integer, hold = one ->> 'hold',
            resumes = (one ->> 'resumes')::boolean, stage = (one ->> 'stage')::integer,
            due_at_ms = CASE WHEN (one ->> 'keepsDue')::boolean THEN due_at_ms
              ELSE (one ->> 'dueAtMs')::bigint END,
            named = named_of(one ->> 'json'), json = one ->> 'json'
          WHERE interaction_id = one ->> 'key' AND session_number = of_session
            AND status = (one ->> 'expectedStatus')::integer
            AND hold = coalesce(one ->> 'expectedHold', hold)
            AND stage = (one ->> 'expectedStage')::integer
          RETURNING interaction_number INTO v_number;
      END IF;
      IF NOT FOUND THEN
        SELECT status, hold, json, request_of(interactions) AS request INTO v_found
          FROM interactions WHERE interaction_id = one ->> 'key' AND session_number = of_session;
        RETURN jsonb_build_object('kind', 'interaction', 'id', one ->> 'key',
          'current', CASE WHEN FOUND THEN to_jsonb(v_found) END);
      END IF;
      v_answer := one -> 'answer';
      CONTINUE WHEN v_answer IS NULL;
      IF v_answer = '"taken_back"' THEN
        DELETE FROM answers WHERE interaction_number = v_number;
      ELSE
        INSERT INTO answers
            (interaction_number, session_number, answered_at_ms, person, agent, tool, action, words)
          VALUES (v_number, of_session, (v_answer ->> 'atMs')::bigint, v_answer ->> 'person',
            (SELECT coalesce(readable(json) ->> 'agent', '') FROM sessions
              WHERE session_number = of_session),
            v_answer ->> 'tool', v_answer ->> 'action', v_answer ->> 'words')
          ON CONFLICT (interaction_number) DO UPDATE
            SET answered_at_ms = excluded.answered_at_ms, person = excluded.person,
              action = excluded.action, words = excluded.words;
      END IF;
    END LOOP;
    RETURN NULL;
  END $body$;

  CREATE OR REPLACE FUNCTION write_messages(of_session bigint, writes jsonb)
  RETURNS jsonb LANGUAGE plpgsql AS $body$
  DECLARE
    one jsonb;
    v_attachment jsonb;
  BEGIN
    FOR one IN SELECT value FROM jsonb_array_elements(writes) LOOP
      INSERT INTO messages (session_number, message_id, idempotency_key, attachment_ids, json)
        VALUES (of_session, one ->> 'key', one ->> 'idempotencyKey', ARRAY(
          SELECT carried ->> 'key' FROM jsonb_array_elements(one -> 'attachments') AS carried
        ), one ->> 'json')
        ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN
        RETURN jsonb_build_object('kind', 'message', 'id', one ->> 'key', 'current', (
          SELECT json FROM messages WHERE session_number = of_session
            AND (message_id = one ->> 'key' OR idempotency_key = one ->> 'idempotencyKey')
          ORDER BY message_id <> one ->> 'key' LIMIT 1));
      END IF;
    END LOOP;
    FOR v_attachment IN
      SELECT carried FROM jsonb_array_elements(writes) AS message,
        jsonb_array_elements(message -> 'attachments') AS carried
    LOOP
      UPDATE attachments SET message_count = message_count + 1
        WHERE session_number = of_session AND attachment_id = v_attachment ->> 'key';
      IF NOT FOUND THEN
        RETURN jsonb_build_object('kind', 'attachment', 'id', v_attachment ->> 'key');
      END IF;
    END LOOP;
    RETURN NULL;
  END $body$;

  CREATE OR REPLACE FUNCTION take_messages(of_session bigint, taken jsonb, taken_back_at_ms bigint)
  RETURNS jsonb LANGUAGE plpgsql AS $body$
  DECLARE
    one jsonb;
    v_attachments text[];
  BEGIN
    FOR one IN SELECT value FROM jsonb_array_elements(taken) LOOP
      UPDATE messages SET queued = false
        WHERE session_number = of_session AND message_id = one ->> 'key' AND queued
        RETURNING attachment_ids INTO v_attachments;
      IF NOT FOUND THEN
        RETURN jsonb_build_object('kind', 'message', 'id', one ->> 'key', 'current', (
          SELECT json FROM messages WHERE session_number = of_session AND message_id = one ->> 'key'));
      END IF;
      IF taken_back_at_ms IS NOT NULL THEN
        UPDATE attachments SET message_count = greatest(message_count - carried.times, 0),
            uploaded_at_ms = taken_back_at_ms
          FROM (SELECT id, count(*)::integer AS times FROM unnest(v_attachments) AS id GROUP BY id) AS carried
          WHERE session_number = of_session AND attachment_id = carried.id;
      END IF;
    END LOOP;
    RETURN NULL;
  END $body$;

  CREATE OR REPLACE FUNCTION write_grants(of_session bigint, writes jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  DECLARE
    one jsonb;
    v_refused text;
  BEGIN
    FOR one IN SELECT value FROM jsonb_array_elements(writes) LOOP
      v_refused := CASE one ->> 'type'
        WHEN 'add' THEN add_grant(CASE WHEN (one ->> 'isBound')::boolean THEN of_session END, one)
        WHEN 'use' THEN use_grant(of_session, one)
        WHEN 'remove' THEN take_grant(of_session, one)
        ELSE find_unseen_grant(one) END;
      IF v_refused IS NOT NULL THEN
        RETURN jsonb_build_object('kind', 'grant', 'id', v_refused);
      END IF;
    END LOOP;
    RETURN NULL;
  END $body$;

  CREATE OR REPLACE FUNCTION add_grant(owner bigint, one jsonb) RETURNS text LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM grants WHERE expires_at_ms <= (one ->> 'createdAtMs')::bigint;
    INSERT INTO grants (grant_id, key_hash, session_number, created_at_ms, expires_at_ms,
        last_used_at_ms, uses_left, json)
      VALUES (one ->> 'key', one ->> 'keyHash', owner, (one ->> 'createdAtMs')::bigint,
        (one ->> 'expiresAtMs')::bigint, (one ->> 'lastUsedAtMs')::bigint,
        (one ->> 'usesLeft')::bigint, one ->> 'json')
      ON CONFLICT (grant_id) DO NOTHING;
    RETURN CASE WHEN NOT FOUND THEN one ->> 'key' END;
  END $body$;

  CREATE OR REPLACE FUNCTION use_grant(of_session bigint, one jsonb) RETURNS text LANGUAGE plpgsql AS $body$
  DECLARE
    v_at bigint := (one ->> 'usedAtMs')::bigint;
  BEGIN
    UPDATE grants SET last_used_at_ms = v_at, uses_left = uses_left - 1
      WHERE grant_id = one ->> 'key' AND (session_number IS NULL OR session_number = of_session)
        AND (expires_at_ms IS NULL OR expires_at_ms > v_at)
        AND (uses_left IS NULL OR uses_left > 0);
    IF NOT FOUND THEN RETURN one ->> 'key'; END IF;
    DELETE FROM grants WHERE grant_id = one ->> 'key' AND uses_left = 0;
    RETURN NULL;
  END $body$;

  CREATE OR REPLACE FUNCTION take_grant(of_session bigint, one jsonb) RETURNS text LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM grants
      WHERE grant_id = one ->> 'key' AND (session_number IS NULL OR session_number = of_session);
    RETURN CASE WHEN NOT FOUND THEN one ->> 'key' END;
  END $body$;

  CREATE OR REPLACE FUNCTION find_unseen_grant(one jsonb) RETURNS text LANGUAGE sql STABLE AS $body$
    SELECT grant_id FROM grants
    WHERE key_hash = one ->> 'keyHash' AND session_number IS NULL
      AND (expires_at_ms IS NULL OR expires_at_ms > (one ->> 'nowMs')::bigint)
      AND NOT one -> 'keys' ? grant_id
    ORDER BY created_at_ms, grant_id LIMIT 1
  $body$;
`;
