import { type Clock, StoreError } from "@holdpoint/engine";
import { Pool } from "pg";

import { configOf, READING_SQL } from "./connect.ts";
import { codeOf, storeFailed } from "./database-error.ts";

const MAX_CONNECTIONS = 4;
/** No answer for so long means that the connection is broken, whatever the network says. A statement ends before that. */
const ANSWER_LIMIT_MS = 35_000;
const GOODBYE_LIMIT_MS = 1000;

/** Runs one statement and gives its rows. With a name it is prepared once for each connection. */
export type Read = <TRow extends object>(
  text: string,
  values?: readonly unknown[],
  name?: string,
) => Promise<TRow[]>;

/** Reads through a few connections of its own, beside the one that writes. */
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
    // Its promise is waited for.
    onConnect: (client): void => client.query(READING_SQL) as unknown as void,
  });
  // A connection that waits and ends is taken out of the pool.
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
          // A connection that had ended unnoticed says nothing about the database.
          if (!isConnectionLoss(error)) throw error;
          return run<TRow>(text, values, name);
        });
      } catch (error: unknown) {
        if (StoreError.isInstance(error)) throw error;
        throw storeFailed("Reading from the database", isTimeout(error) ? NO_ANSWER : error);
      }
    },
    async [Symbol.asyncDispose]() {
      // A broken connection never says goodbye.
      const over = new AbortController();
      const limit = clock.sleep(GOODBYE_LIMIT_MS, over).catch(() => undefined);
      await Promise.race([pool.end().catch(() => undefined), limit]);
      over.abort();
    },
  };
}

const NO_ANSWER = Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" });

/** `pg` itself has no code for it. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

function isConnectionLoss(error: unknown): boolean {
  if (isTimeout(error)) return false;
  const code = codeOf(error);
  return code === undefined || /^(?:08|57P|E[A-Z]+$)/u.test(code);
}
