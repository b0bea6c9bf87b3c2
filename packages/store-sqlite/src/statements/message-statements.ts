import { IN_SESSION } from "./columns.ts";

export const MESSAGE_STATEMENTS = {
  insertMessage: `
      INSERT INTO messages (session_number, message_id, idempotency_key, json) VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING`,
  noteAttachmentSent: `
      UPDATE attachments SET message_count = message_count + 1
      WHERE session_number = ? AND attachment_id = ?`,
  noteAttachmentTakenBack: `
      UPDATE attachments SET message_count = max(message_count - 1, 0), uploaded_at_ms = ?
      WHERE session_number = ? AND attachment_id = ?`,
  dequeueMessage: `
      UPDATE messages SET queued = 0 WHERE session_number = ? AND message_id = ? AND queued = 1
      RETURNING json`,
  findConflictingMessage: `
      SELECT json FROM messages WHERE session_number = ?1 AND message_id = ?2
      UNION ALL
      SELECT json FROM messages WHERE session_number = ?1 AND idempotency_key = ?3`,
  findMessage: `
      SELECT json FROM messages
      WHERE session_number = (SELECT session_number FROM sessions WHERE session_id = ?)
        AND idempotency_key = ?`,
  listQueue: queueOfSession(""),
  nextMessage: queueOfSession("LIMIT 1"),
  listQueuedSessions: `
      SELECT json FROM messages
      WHERE message_number IN (
        SELECT min(message_number) FROM messages INDEXED BY messages_queued
        WHERE queued = 1 GROUP BY session_number
      )
      ORDER BY message_number`,
};

function queueOfSession(limit: string): string {
  return `
      SELECT json FROM messages INDEXED BY messages_queued
      WHERE queued = 1 AND ${IN_SESSION} ORDER BY message_number ${limit}`;
}
