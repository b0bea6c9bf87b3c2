import type { Migration } from "./migration.ts";

/**
 * Writes a batch in one call. Its argument comes from `encodeAppend`. A conflict is a result with `conflict`, and the
 * caller must undo the writes made so far. The session's row is written first, which locks out other writers until the
 * end of the transaction.
 */
export const append: Migration = {
  version: 3,
  sql: `
    CREATE FUNCTION write_append(batch jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
    DECLARE
      v_number bigint;
      v_last bigint;
      v_row jsonb := batch -> 'row';
      v_count bigint := jsonb_array_length(batch -> 'events');
      v_conflict jsonb;
    BEGIN
      IF v_row IS NULL THEN
        UPDATE sessions SET last_seq = last_seq + v_count WHERE session_id = batch ->> 'session'
          RETURNING session_number, last_seq INTO v_number, v_last;
        IF NOT FOUND THEN RETURN '{"conflict": {"kind": "no_session"}}'; END IF;
      ELSE
        INSERT INTO sessions
          (session_id, last_seq, updated_at_ms, is_busy, is_archived, mode_ends_at, title, searched, json)
          VALUES (batch ->> 'session', v_count, (v_row ->> 'updatedAtMs')::bigint,
            (v_row ->> 'isBusy')::boolean, (v_row ->> 'isArchived')::boolean, v_row ->> 'modeEndsAt',
            v_row ->> 'title', v_row ->> 'searched', v_row ->> 'json')
          ON CONFLICT (session_id) DO UPDATE SET last_seq = sessions.last_seq + v_count,
            updated_at_ms = excluded.updated_at_ms, is_busy = excluded.is_busy,
            is_archived = excluded.is_archived, mode_ends_at = excluded.mode_ends_at,
            title = excluded.title, searched = excluded.searched, json = excluded.json
          RETURNING session_number, last_seq INTO v_number, v_last;
      END IF;
      v_last := v_last - v_count;
      IF v_count > 0 THEN
        INSERT INTO events (session_number, seq, json)
          SELECT v_number, v_last + place, '{"seq":' || (v_last + place) || ',' || substr(event, 2)
          FROM jsonb_array_elements_text(batch -> 'events') WITH ORDINALITY AS one (event, place);
      END IF;
      v_conflict := coalesce(
        write_interactions(v_number, v_last, batch -> 'interactions'),
        write_messages(v_number, batch -> 'enqueue'),
        take_messages(v_number, batch -> 'dequeue', (batch ->> 'takenBackAtMs')::bigint),
        write_grants(v_number, batch -> 'grants'));
      IF v_conflict IS NOT NULL THEN RETURN jsonb_build_object('conflict', v_conflict); END IF;
      RETURN jsonb_build_object('firstSeq', v_last + 1);
    END $body$;

    CREATE FUNCTION write_interactions(of_session bigint, last bigint, writes jsonb)
    RETURNS jsonb LANGUAGE plpgsql AS $body$
    DECLARE
      one jsonb;
      v_found record;
    BEGIN
      FOR one IN SELECT value FROM jsonb_array_elements(writes) LOOP
        IF one ->> 'expectedStatus' IS NULL THEN
          INSERT INTO interactions (interaction_id, session_number, request_seq, tool_call_id,
              is_of_gateway_tool, takes_late_answer, started_at_ms, status, stage, hold, due_at_ms, json, request)
            VALUES (one ->> 'key', of_session, last + (one ->> 'requestIndex')::bigint + 1,
              one ->> 'toolCallKey', (one ->> 'isOfGatewayTool')::boolean,
              (one ->> 'takesLateAnswer')::boolean, (one ->> 'startedAtMs')::bigint,
              (one ->> 'status')::integer, (one ->> 'stage')::integer, one ->> 'hold',
              (one ->> 'dueAtMs')::bigint, one ->> 'json', one ->> 'request')
            ON CONFLICT (interaction_id) DO NOTHING;
        ELSE
          UPDATE interactions SET status = (one ->> 'status')::integer, hold = one ->> 'hold',
              json = one ->> 'json', stage = (one ->> 'stage')::integer,
              due_at_ms = CASE WHEN (one ->> 'keepsDue')::boolean THEN due_at_ms
                ELSE (one ->> 'dueAtMs')::bigint END
            WHERE interaction_id = one ->> 'key' AND session_number = of_session
              AND status = (one ->> 'expectedStatus')::integer
              AND hold = coalesce(one ->> 'expectedHold', hold)
              AND stage = (one ->> 'expectedStage')::integer;
        END IF;
        IF NOT FOUND THEN
          SELECT status, hold, json, request_of(interactions) AS request INTO v_found
            FROM interactions WHERE interaction_id = one ->> 'key' AND session_number = of_session;
          RETURN jsonb_build_object('kind', 'interaction', 'id', one ->> 'key',
            'current', CASE WHEN FOUND THEN to_jsonb(v_found) END);
        END IF;
        IF one ->> 'answer' = 'taken_back' THEN
          DELETE FROM answers WHERE interaction_number = (
            SELECT interaction_number FROM interactions WHERE interaction_id = one ->> 'key');
        ELSIF one ->> 'answer' IS NOT NULL THEN
          INSERT INTO answers (interaction_number, session_number, answered_at_ms, words)
            SELECT interaction_number, session_number, (one #>> '{answer,atMs}')::bigint,
              one #>> '{answer,words}'
            FROM interactions WHERE interaction_id = one ->> 'key'
            ON CONFLICT (interaction_number) DO UPDATE
              SET answered_at_ms = excluded.answered_at_ms, words = excluded.words;
        END IF;
      END LOOP;
      RETURN NULL;
    END $body$;

    CREATE FUNCTION request_of(one interactions) RETURNS text LANGUAGE sql STABLE AS $body$
      SELECT coalesce(one.request, (
        SELECT json FROM events WHERE session_number = one.session_number AND seq = one.request_seq))
    $body$;

    CREATE FUNCTION write_messages(of_session bigint, writes jsonb)
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

    CREATE FUNCTION take_messages(of_session bigint, taken jsonb, taken_back_at_ms bigint)
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
  `,
};
