import type { StoredMessage } from "@holdpoint/engine";

import type { Read } from "./reader.ts";
import { toKey } from "./text-key.ts";

interface JsonRow {
  readonly json: string;
}

const OF_SESSION = "session_number = (SELECT session_number FROM sessions WHERE session_id = $1)";

/** Lists queued messages in order; with `limit` only the first ones. */
export async function listQueue(
  read: Read,
  sessionId: string,
  limit?: number,
): Promise<StoredMessage[]> {
  const rows = await read<JsonRow>(
    `SELECT json FROM messages WHERE queued AND ${OF_SESSION} ORDER BY message_number LIMIT $2`,
    [toKey(sessionId), limit ?? null],
  );
  return rows.map(toMessage);
}

export async function listQueuedSessions(read: Read): Promise<string[]> {
  const rows = await read<JsonRow>(`
    SELECT json FROM (
      SELECT DISTINCT ON (session_number) message_number, json FROM messages
      WHERE queued ORDER BY session_number, message_number
    ) AS first ORDER BY message_number`);
  return rows.map((row) => toMessage(row).sessionId);
}

export async function findMessage(
  read: Read,
  sessionId: string,
  idempotencyKey: string,
): Promise<StoredMessage | undefined> {
  const [row] = await read<JsonRow>(
    `SELECT json FROM messages WHERE ${OF_SESSION} AND idempotency_key = $2`,
    [toKey(sessionId), toKey(idempotencyKey)],
  );
  return row && toMessage(row);
}

function toMessage({ json }: JsonRow): StoredMessage {
  return JSON.parse(json) as StoredMessage;
}
