import type { Migration } from "./migration.ts";

/**
 * Adds the filterable facts to answers. They have no index, since a response would write one more page for each.
 *
 * `readable` parses a text as JSON. It replaces escapes that Postgres cannot represent: NUL and lone surrogates.
 */
export const filteredAnswers: Migration = {
  version: 6,
  sql: String.raw`
    CREATE FUNCTION readable(stored text) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
      SELECT regexp_replace(
        stored, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd', 'g')::json
    $body$;

    CREATE FUNCTION agent_of(session bigint) RETURNS text LANGUAGE sql STABLE AS $body$
      SELECT coalesce(readable(json) ->> 'agent', '') FROM sessions WHERE session_number = session
    $body$;

    ALTER TABLE answers ADD COLUMN person text NOT NULL DEFAULT '',
      ADD COLUMN agent text NOT NULL DEFAULT '',
      ADD COLUMN tool text NOT NULL DEFAULT '',
      ADD COLUMN action text NOT NULL DEFAULT '';
    UPDATE answers SET
      person = coalesce(readable(one.json) #>> '{interaction,by,person}', ''),
      agent = coalesce(agent_of(one.session_number), ''),
      tool = coalesce(readable(request_of(one)) #>> '{interaction,toolName}', ''),
      action = coalesce(readable(one.json) #>> '{interaction,response,action}', '')
    FROM interactions AS one WHERE one.interaction_number = answers.interaction_number;

    CREATE OR REPLACE FUNCTION write_interactions(of_session bigint, last bigint, writes jsonb)
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
          INSERT INTO answers
              (interaction_number, session_number, answered_at_ms, person, agent, tool, action, words)
            SELECT interaction_number, session_number, (one #>> '{answer,atMs}')::bigint,
              one #>> '{answer,person}', agent_of(session_number), one #>> '{answer,tool}',
              one #>> '{answer,action}', one #>> '{answer,words}'
            FROM interactions WHERE interaction_id = one ->> 'key'
            ON CONFLICT (interaction_number) DO UPDATE
              SET answered_at_ms = excluded.answered_at_ms, person = excluded.person,
                action = excluded.action, words = excluded.words;
        END IF;
      END LOOP;
      RETURN NULL;
    END $body$;
  `,
};
