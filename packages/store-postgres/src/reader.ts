import { type Clock, StoreError } from "@holdpoint/engine";
import { Pool } from "pg";

import { configOf, READING_SQL } from "./connect.ts";
import { codeOf, storeFailed } from "./database-error.ts";

const MAX_CONNECTIONS = 4;
/** Without an answer for this long, the connection counts as broken. Statements time out earlier. */
const ANSWER_LIMIT_MS = 35_000;
const GOODBYE_LIMIT_MS = 1000;

/** Runs one statement and returns its rows. A named statement is prepared once per connection. */
export type Read = <TRow extends object>(
  text: string,
  values?: readonly unknown[],
  name?: string,
) => Promise<TRow[]>;

/** Reads through a few connections that are separate from the writer's. */
export interface Reader extends AsyncDisposable {
  readonly read: Read;
}

export interface ReaderOptions {
  readonly url: string;
  readonly name: string;
  readonly clock: Clock;
  readonly answerLimitMs?: number;
}

export function openReader(options: ReaderOptions): Reader {
  const { url, name, clock, answerLimitMs = ANSWER_LIMIT_MS } = options;
  const pool = new Pool({
    ...configOf(url, name),
    max: MAX_CONNECTIONS,
    query_timeout: answerLimitMs,
    // The pool waits for the promise.
    onConnect: (client): void => client.query(READING_SQL) as unknown as void,
  });
  // The pool removes an idle connection that has ended.
  pool.on("error", () => undefined);
  const run = async <TRow extends object>(
    text: string,
    values: readonly unknown[],
    name: string | undefined,
  ): Promise<TRow[]> => {
    const query = { text, values: [...values], ...(name !== undefined && { name }) };
    const { rows } = await pool.query<TRow>(query);
    return rows;
  };
  return {
    async read<TRow extends object>(text: string, values: readonly unknown[] = [], name?: string) {
      try {
        return await run<TRow>(text, values, name).catch((error: unknown) => {
          // The connection had ended unnoticed, so the database may be available.
          if (!isConnectionLoss(error)) throw error;
          return run<TRow>(text, values, name);
        });
      } catch (error: unknown) {
        if (StoreError.isInstance(error)) throw error;
        throw storeFailed("Reading from the database", isTimeout(error) ? NO_ANSWER : error);
      }
    },
    async [Symbol.asyncDispose]() {
      // A broken connection never confirms its end.
      const over = new AbortController();
      const limit = clock.sleep(GOODBYE_LIMIT_MS, over).catch(() => undefined);
      await Promise.race([pool.end().catch(() => undefined), limit]);
      over.abort();
    },
  };
}

const NO_ANSWER = Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" });

/** Errors of `pg` itself have no code. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

function isConnectionLoss(error: unknown): boolean {
  if (isTimeout(error)) return false;
  const code = codeOf(error);
  return code === undefined || /^(?:08|57P|E[A-Z]+$)/u.test(code);
}
