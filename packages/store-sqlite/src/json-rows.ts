import type { StoredMessage } from "@holdpoint/engine";

interface JsonRow {
  readonly json: string;
}

export function parseMessage(row: unknown): StoredMessage | undefined {
  return row === undefined ? undefined : parseRows<StoredMessage>([row])[0];
}

/** Parses the column `json` of each row. */
export function parseRows<T>(rows: unknown): T[] {
  return (rows as JsonRow[]).map(({ json }) => JSON.parse(json) as T);
}
