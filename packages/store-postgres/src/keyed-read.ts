// `setImmediate` is not used as a timer: it waits for the end of this turn of the event loop.
import { setImmediate } from "node:timers";

import type { Read } from "./reader.ts";

/** The most keys per statement. */
const MAX_KEYS = 256;

/** A row that a statement returns for a key. */
interface KeyedRow {
  readonly key: string;
}

export interface KeyedStatement {
  readonly name: string;
  /** A SELECT that ends with the key column; the comparison is appended. */
  readonly text: string;
}

interface Wanted<TRow> {
  readonly key: string;
  readonly resolve: (row: TRow | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads rows by their keys. Keys that arrive while a statement is running are sent together in the next one, so that
 * simultaneous reads by many clients need few round trips. A caller never gets a row from a statement that was sent
 * before its call.
 */
export class KeyedRead<TRow extends KeyedRow> {
  readonly #read: Read;
  readonly #statement: KeyedStatement;
  #wanted: Wanted<TRow>[] = [];
  #isUnderWay = false;

  constructor(read: Read, statement: KeyedStatement) {
    this.#read = read;
    this.#statement = statement;
  }

  get(key: string): Promise<TRow | undefined> {
    return new Promise((resolve, reject) => {
      this.#wanted.push({ key, resolve, reject });
      if (this.#wanted.length === 1) setImmediate(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    if (this.#isUnderWay || this.#wanted.length === 0) return;
    const wanted = this.#wanted.splice(0, MAX_KEYS);
    this.#isUnderWay = true;
    try {
      const rows = await this.#readRows([...new Set(wanted.map(({ key }) => key))]);
      const found = new Map(rows.map((row) => [row.key, row]));
      for (const { key, resolve } of wanted) resolve(found.get(key));
    } catch (error: unknown) {
      for (const { reject } of wanted) reject(error);
    } finally {
      this.#isUnderWay = false;
      void this.#send();
    }
  }

  /** Sends one key as a plain comparison, whose plan Postgres caches. Several keys are planned each time. */
  #readRows(keys: readonly string[]): Promise<TRow[]> {
    const { name, text } = this.#statement;
    const [first] = keys;
    return keys.length === 1
      ? this.#read<TRow>(`${text} = $1`, [first], name)
      : this.#read<TRow>(`${text} = ANY($1::text[])`, [keys], `${name}_several`);
  }
}
