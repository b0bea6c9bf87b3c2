import type { Migration } from "./migration.ts";

/**
 * How many messages carry a file, so that it is known when the last of them is taken back. Which messages were taken back
 * before this step is not known: they count, and what they carried stays with its session.
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
