/**
 * All other writes, each a function of one JSON argument; `write_all`, which makes every write; and the lease of the
 * working node.
 */
export const WRITES = String.raw`
  CREATE OR REPLACE FUNCTION write_delete_session(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  DECLARE
    v_number bigint;
    v_answered jsonb;
  BEGIN
    SELECT session_number INTO v_number FROM sessions WHERE session_id = one ->> 'key' FOR UPDATE;
    SELECT coalesce(jsonb_agg(interaction_id), '[]') INTO v_answered
      FROM interactions WHERE session_number = v_number AND status = (one ->> 'answered')::integer;
    DELETE FROM sessions WHERE session_number = v_number;
    DELETE FROM events WHERE session_number = v_number;
    RETURN jsonb_build_object('value', v_answered);
  END $body$;

  CREATE OR REPLACE FUNCTION write_attachment(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  DECLARE
    v_number bigint;
    v_size bigint := (one ->> 'size')::bigint;
    v_count bigint;
    v_sum bigint;
  BEGIN
    SELECT session_number INTO v_number FROM sessions WHERE session_id = one ->> 'session';
    IF NOT FOUND THEN RETURN '{"value": "no_session"}'; END IF;
    DELETE FROM attachments
      WHERE message_count = 0 AND uploaded_at_ms < (one ->> 'forgetBeforeMs')::bigint;
    UPDATE attachments SET uploaded_at_ms = (one ->> 'uploadedAtMs')::bigint
      WHERE session_number = v_number AND attachment_id = one ->> 'key';
    IF FOUND THEN RETURN '{"value": "kept"}'; END IF;
    SELECT count(*), coalesce(sum(size), 0) INTO v_count, v_sum
      FROM attachments WHERE session_number = v_number;
    IF v_count >= (one ->> 'perSession')::numeric
      OR v_sum + v_size > (one ->> 'sessionBytes')::numeric
      OR (SELECT coalesce(sum(size), 0) FROM attachments) + v_size > (one ->> 'gatewayBytes')::numeric
    THEN RETURN '{"value": "no_room"}'; END IF;
    INSERT INTO attachments (session_number, attachment_id, uploaded_at_ms, size, json, data)
      VALUES (v_number, one ->> 'key', (one ->> 'uploadedAtMs')::bigint, v_size, one ->> 'json',
        decode(one ->> 'data', 'base64'));
    RETURN '{"value": "kept"}';
  END $body$;

  CREATE OR REPLACE FUNCTION write_snooze(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM snoozes WHERE until_ms <= (one ->> 'nowMs')::bigint;
    INSERT INTO snoozes (interaction_number, person, json, until_ms)
      SELECT interaction_number, one ->> 'person', one ->> 'json', (one ->> 'untilMs')::bigint
      FROM interactions WHERE interaction_id = one ->> 'interaction'
      ON CONFLICT (interaction_number, person) DO UPDATE
        SET json = excluded.json, until_ms = excluded.until_ms;
    RETURN jsonb_build_object('value', FOUND);
  END $body$;

  CREATE OR REPLACE FUNCTION write_no_snooze(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM snoozes WHERE person = one ->> 'person' AND interaction_number = (
      SELECT interaction_number FROM interactions WHERE interaction_id = one ->> 'interaction');
    RETURN jsonb_build_object('value', FOUND);
  END $body$;

  CREATE OR REPLACE FUNCTION write_grant(one jsonb) RETURNS jsonb LANGUAGE sql AS $body$
    SELECT jsonb_build_object('value', add_grant(NULL, one) IS NULL)
  $body$;

  CREATE OR REPLACE FUNCTION write_no_grant(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM grants WHERE grant_id = one ->> 'key';
    RETURN jsonb_build_object('value', FOUND);
  END $body$;

  CREATE OR REPLACE FUNCTION write_credential(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO credentials (token_id, token_hash, created_at_ms, last_used_at_ms, json)
      VALUES (one ->> 'key', one ->> 'hash', (one ->> 'createdAtMs')::bigint,
        (one ->> 'lastUsedAtMs')::bigint, one ->> 'json');
    RETURN '{"value": true}';
  END $body$;

  CREATE OR REPLACE FUNCTION write_replaced_credential(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    UPDATE credentials SET token_hash = one ->> 'hash', json = one ->> 'json'
      WHERE token_id = one ->> 'key';
    RETURN jsonb_build_object('value', FOUND);
  END $body$;

  CREATE OR REPLACE FUNCTION write_credential_use(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    UPDATE credentials
      SET last_used_at_ms = greatest(last_used_at_ms, (one ->> 'usedAtMs')::bigint)
      WHERE token_id = one ->> 'key';
    RETURN jsonb_build_object('value', FOUND);
  END $body$;

  CREATE OR REPLACE FUNCTION write_no_credential(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM credentials WHERE token_id = one ->> 'key';
    RETURN jsonb_build_object('value', FOUND);
  END $body$;

  CREATE OR REPLACE FUNCTION write_subscription(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO notification_subscriptions (device_id, created_at_ms, json)
      VALUES (one ->> 'key', (one ->> 'createdAtMs')::bigint, one ->> 'json')
      ON CONFLICT (device_id) DO UPDATE
        SET created_at_ms = excluded.created_at_ms, json = excluded.json;
    RETURN '{"value": true}';
  END $body$;

  CREATE OR REPLACE FUNCTION write_no_subscription(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM notification_deliveries WHERE target_id = one ->> 'key';
    DELETE FROM notification_subscriptions WHERE device_id = one ->> 'key';
    RETURN jsonb_build_object('value', FOUND);
  END $body$;

  CREATE OR REPLACE FUNCTION write_deliveries(all_of_them jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  DECLARE
    one jsonb;
  BEGIN
    FOR one IN SELECT value FROM jsonb_array_elements(all_of_them) LOOP
      INSERT INTO notification_deliveries
          (delivery_id, target_id, is_closed, created_at_ms, changed_at_ms, json)
        VALUES (one ->> 'key', one ->> 'target', (one ->> 'isClosed')::boolean,
          (one ->> 'createdAtMs')::bigint, (one ->> 'changedAtMs')::bigint, one ->> 'json')
        ON CONFLICT (delivery_id) DO UPDATE SET is_closed = excluded.is_closed,
          changed_at_ms = excluded.changed_at_ms, json = excluded.json;
    END LOOP;
    RETURN '{"value": true}';
  END $body$;

  CREATE OR REPLACE FUNCTION write_no_deliveries(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM notification_deliveries WHERE target_id = one ->> 'target';
    DELETE FROM notification_deliveries
      WHERE is_closed AND changed_at_ms < (one ->> 'closedBeforeMs')::bigint;
    RETURN '{"value": true}';
  END $body$;

  CREATE OR REPLACE FUNCTION write_callback(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    INSERT INTO ask_callbacks (interaction_id, is_open, created_at_ms, changed_at_ms, json)
      VALUES (one ->> 'key', (one ->> 'isOpen')::boolean, (one ->> 'createdAtMs')::bigint,
        (one ->> 'changedAtMs')::bigint, one ->> 'json')
      ON CONFLICT (interaction_id) DO UPDATE SET is_open = excluded.is_open,
        changed_at_ms = excluded.changed_at_ms, json = excluded.json;
    RETURN '{"value": true}';
  END $body$;

  CREATE OR REPLACE FUNCTION write_no_callback(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM ask_callbacks WHERE interaction_id = one ->> 'key';
    DELETE FROM ask_callbacks
      WHERE NOT is_open AND changed_at_ms < (one ->> 'doneBeforeMs')::bigint;
    RETURN '{"value": true}';
  END $body$;

  CREATE OR REPLACE FUNCTION write_used_state(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
  BEGIN
    DELETE FROM used_states WHERE until_ms <= (one ->> 'nowMs')::bigint;
    INSERT INTO used_states (state_id, until_ms)
      VALUES (one ->> 'key', (one ->> 'untilMs')::bigint)
      ON CONFLICT (state_id) DO NOTHING;
    RETURN jsonb_build_object('value', FOUND);
  END $body$;

  -- Makes several calls in one transaction, each atomic, and only for the owner of the history that knows its last
  -- write. The results are stored with the number of the write, until the next one. write_append is called by
  -- name, which keeps its plan.
  CREATE OR REPLACE FUNCTION write_all(by_owner text, as_generation bigint, calls jsonb)
  RETURNS jsonb LANGUAGE plpgsql AS $body$
  DECLARE
    one jsonb;
    v_result jsonb;
    v_results jsonb[] := '{}';
  BEGIN
    FOR one IN SELECT value FROM jsonb_array_elements(calls) LOOP
      BEGIN
        IF one ->> 'call' = 'append' THEN
          v_result := write_append(one -> 'with');
        ELSE
          EXECUTE format('SELECT %I($1)', 'write_' || (one ->> 'call'))
            INTO v_result USING one -> 'with';
        END IF;
        IF v_result ? 'conflict' THEN RAISE EXCEPTION USING ERRCODE = 'HP001'; END IF;
      EXCEPTION
        WHEN SQLSTATE 'HP001' THEN NULL;
        WHEN OTHERS THEN v_result := jsonb_build_object('failed', SQLSTATE);
      END;
      v_results := v_results || v_result;
    END LOOP;
    UPDATE history SET generation = as_generation, results = to_jsonb(v_results)::text
      WHERE id = 1 AND owner = by_owner AND generation = as_generation - 1 AND moved_to IS NULL;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'another gateway writes this history' USING ERRCODE = 'HP002';
    END IF;
    RETURN to_jsonb(v_results);
  END $body$;

  -- Renews a node's lease, or takes one that has ended, and returns its state.
  CREATE OR REPLACE FUNCTION hold_lease(by_node text, with_fence bigint, at_address text, of_release text,
    lasts_ms integer, wants boolean) RETURNS jsonb LANGUAGE plpgsql AS $body$
  DECLARE
    v_until timestamptz := clock_timestamp() + lasts_ms * interval '1 millisecond';
  BEGIN
    UPDATE node_lease SET ends_at = v_until
      WHERE node = by_node AND fence = with_fence AND ends_at > clock_timestamp();
    IF NOT FOUND AND wants THEN
      UPDATE node_lease SET fence = fence + 1, node = by_node, address = at_address,
          release = of_release, ends_at = v_until
        WHERE ends_at <= clock_timestamp();
    END IF;
    RETURN (SELECT jsonb_build_object('fence', fence, 'node', node, 'address', address,
        'release', release,
        'leftMs', floor(extract(epoch FROM ends_at - clock_timestamp()) * 1000),
        'nowMs', floor(extract(epoch FROM clock_timestamp()) * 1000),
        'epoch', epoch, 'generation', generation)
      FROM node_lease, history);
  END $body$;
`;
