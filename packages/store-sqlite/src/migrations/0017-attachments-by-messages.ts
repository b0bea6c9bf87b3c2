import type { Migration } from "./migration.ts";

/**
 * Counts the messages that carry a file, to detect when the last of them is taken back. Messages taken back before this
 * step cannot be identified: they count too, and their files stay with the session.
 */
export const attachmentsByMessages: Migration = {
  version: 17,
  sql: `
    ALTER TABLE attachments RENAME COLUMN is_sent TO message_count;
    UPDATE attachments SET message_count = carried.count
    FROM (
      SELECT messages.session_number, json_extract(one.value, '$.attachmentId') AS id,
        count(*) AS count
      FROM messages, json_each(messages.json, '$.attachments') AS one
      GROUP BY 1, 2 HAVING count(*) > 1
    ) AS carried
    WHERE carried.session_number = attachments.session_number
      AND carried.id = attachments.attachment_id;
  `,
};
