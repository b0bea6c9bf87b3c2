import { type AuditSource, StoreError } from "@holdpoint/engine";

import { showAddress } from "./address.ts";
import { connect } from "./connect.ts";
import { storeFailed } from "./database-error.ts";
import { readHistory } from "./history.ts";
import { readSchema, refusalOf } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import * as sessions from "./read-sessions.ts";
import type { Read } from "./reader.ts";

const SESSIONS_AT_ONCE = 100;
/** The most events and bytes per read. A read returns at least one event, even a larger one. */
const EVENTS_AT_ONCE = 1000;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** Opens the logs in a Postgres database, also next to a running gateway. Changes nothing. */
export async function openPostgresAudit(url: string): Promise<AuditSource> {
  const client = await connect(url, "holdpoint audit");
  const read: Read = async (text, values = []) => {
    const { rows } = await client.query(text, [...values]);
    return rows;
  };
  try {
    // A snapshot, so that all reads see the same state while a gateway writes.
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    const address = showAddress(url);
    const found = await readSchema(client);
    const refusal = found && refusalOf(found, address);
    if (refusal !== undefined) throw new StoreError("STORE_FAILED", refusal);
    if (found?.version !== MIGRATIONS.length) {
      throw new StoreError(
        "STORE_FAILED",
        `The database ${address} is of an earlier release, or empty. Start its gateway once.`,
      );
    }
    const { epoch } = await readHistory(client);
    return {
      epoch,
      async *sessions() {
        for (let after = 0; ;) {
          const rows = await sessions.readAudited(read, after, SESSIONS_AT_ONCE);
          for (const { number, session } of rows) {
            after = number;
            yield session;
          }
          if (rows.length < SESSIONS_AT_ONCE) return;
        }
      },
      async *events(sessionId, start) {
        for (let after = start; ;) {
          const query = { after, limit: EVENTS_AT_ONCE, bytes: BYTES_AT_ONCE };
          const rows = await sessions.readChain(read, sessionId, query);
          yield* rows;
          const last = rows.at(-1);
          if (!last) return;
          after = last.seq;
        }
      },
      [Symbol.asyncDispose]: () => client.end(),
    };
  } catch (error: unknown) {
    await client.end();
    if (StoreError.isInstance(error)) throw error;
    throw storeFailed(`Reading the database ${showAddress(url)}`, error);
  }
}
