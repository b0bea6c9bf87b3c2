import { StoreError } from "@holdpoint/engine";
import { Pool } from "pg";

import { configOf, READING_SQL } from "./connect.ts";
import { codeOf, storeFailed } from "./database-error.ts";

const MAX_CONNECTIONS = 4;

/** Runs one statement and gives its rows. */
export type Read = <TRow extends object>(
  text: string,
  values?: readonly unknown[],
) => Promise<TRow[]>;

/** Reads through a few connections of its own, beside the one that writes. */
export interface Reader extends AsyncDisposable {
  readonly read: Read;
}

export function openReader(url: string, name: string): Reader {
  const pool = new Pool({
    ...configOf(url, name),
    max: MAX_CONNECTIONS,
    // Its promise is waited for.
    onConnect: (client): void => client.query(READING_SQL) as unknown as void,
  });
  // A connection that waits and ends is taken out of the pool.
  pool.on("error", () => undefined);
  const run = async <TRow extends object>(
    text: string,
    values: readonly unknown[],
  ): Promise<TRow[]> => {
    const { rows } = await pool.query<TRow>(text, [...values]);
    return rows;
  };
  return {
    async read<TRow extends object>(text: string, values: readonly unknown[] = []) {
      try {
        return await run<TRow>(text, values).catch((error: unknown) => {
          // A connection that had ended unnoticed says nothing about the database.
          if (!isConnectionLoss(error)) throw error;
          return run<TRow>(text, values);
        });
      } catch (error: unknown) {
        if (StoreError.isInstance(error)) throw error;
        throw storeFailed("Reading from the database", error);
      }
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || /^(?:08|57P|E[A-Z]+$)/u.test(code);
}
