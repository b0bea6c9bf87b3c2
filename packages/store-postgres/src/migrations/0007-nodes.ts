import type { Migration } from "./migration.ts";

/**
 * Support for several nodes on one database.
 *
 * - `node_lease` has one row: the working node, the end of its lease by the database's clock, and its address for other
 *   nodes. The fence increases each time a node takes the lease, and is part of the `owner` that `write_all` checks.
 * - `hold_lease` renews a node's lease, or takes one that has ended, and returns its state.
 * - `node_keys` contains the keys that all nodes sign with, encrypted with the cluster secret.
 * - `used_states` contains the request states that MCP clients have used.
 */
export const nodes: Migration = {
  version: 7,
  sql: `
    CREATE TABLE node_lease (
      id integer PRIMARY KEY CHECK (id = 1),
      fence bigint NOT NULL,
      node text NOT NULL,
      address text NOT NULL,
      release text NOT NULL,
      ends_at timestamptz NOT NULL
    ) WITH (fillfactor = 50);
    INSERT INTO node_lease (id, fence, node, address, release, ends_at)
      VALUES (1, 0, '', '', '', 'epoch');

    CREATE FUNCTION hold_lease(by_node text, with_fence bigint, at_address text, of_release text,
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

    CREATE TABLE node_keys (name text PRIMARY KEY, sealed text NOT NULL);

    CREATE TABLE used_states (
      state_id text COLLATE "C" PRIMARY KEY,
      until_ms bigint NOT NULL
    );
    CREATE INDEX used_states_by_end ON used_states (until_ms);
    CREATE FUNCTION write_used_state(one jsonb) RETURNS jsonb LANGUAGE plpgsql AS $body$
    BEGIN
      DELETE FROM used_states WHERE until_ms <= (one ->> 'nowMs')::bigint;
      INSERT INTO used_states (state_id, until_ms)
        VALUES (one ->> 'key', (one ->> 'untilMs')::bigint)
        ON CONFLICT (state_id) DO NOTHING;
      RETURN jsonb_build_object('value', FOUND);
    END $body$;
  `,
};
