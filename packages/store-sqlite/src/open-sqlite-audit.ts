import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import { type AuditSource, StoreError } from "@holdpoint/engine";

import { isLocked } from "./check-store.ts";
import { DATABASE, LOCK } from "./data-dir.ts";
import { storeFailed } from "./database.ts";
import { readHistory } from "./history.ts";
import { type SessionRow, toSession } from "./lists.ts";
import { readVersion } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openForReading } from "./open-for-reading.ts";
import { readChain } from "./read-events.ts";
import { refuseForeign } from "./refuse-foreign.ts";
import { refuseMoved } from "./refuse-moved.ts";
import { prepareStatements } from "./statements/statements.ts";

/** Opens the logs in a data folder, also next to a running gateway. Changes nothing. */
export async function openSqliteAudit(dataDir: string): Promise<AuditSource> {
  refuseMoved(dataDir);
  const path = join(resolve(dataDir), DATABASE);
  if (!existsSync(path)) throw failed(`There is no store of a gateway in ${resolve(dataDir)}.`);
  refuseForeign(path);
  using opening = new DisposableStack();
  try {
    const isInUse = isLocked(join(resolve(dataDir), LOCK));
    const database = openForReading(path, { isInUse });
    opening.defer(() => database.close());
    // A transaction, so that all reads see the same state while a gateway writes.
    database.exec("BEGIN");
    if (readVersion(database) !== MIGRATIONS.length) {
      throw failed(
        `The store in ${resolve(dataDir)} is of another release. Start its gateway once.`,
      );
    }
    const statements = prepareStatements(database);
    const sessions = database.prepare(
      `SELECT json, coalesce((
         SELECT max(place) FROM events
         WHERE place > session_number << 32 AND place < (session_number + 1) << 32
       ) & 4294967295, 0) AS last_seq FROM sessions ORDER BY session_number`,
    );
    const { epoch } = readHistory(database);
    const opened = opening.move();
    return {
      epoch,
      async *sessions() {
        const rows: unknown = sessions.iterate();
        for (const row of rows as Iterable<SessionRow>) yield toSession(row);
      },
      async *events(sessionId, after) {
        yield* readChain(statements, sessionId, { after, limit: Number.MAX_SAFE_INTEGER });
      },
      async [Symbol.asyncDispose]() {
        opened.dispose();
      },
    };
  } catch (error: unknown) {
    if (StoreError.isInstance(error)) throw error;
    throw storeFailed(`Reading the store in ${resolve(dataDir)}`, error);
  }
}

function failed(message: string): StoreError {
  return new StoreError("STORE_FAILED", message);
}
