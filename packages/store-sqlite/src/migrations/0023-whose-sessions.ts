import type { Migration } from "./migration.ts";

/**
 * Which sessions a person sees, by the texts of `seenBy`: a list goes along its own index, and looks for each session here. What
 * everybody sees stands under the empty text. A session writes its rows when it is made and when others see it than before.
 */
export const whoseSessions: Migration = {
  version: 23,
  sql: `
    CREATE TABLE sharing (
      key TEXT NOT NULL,
      session_number INTEGER NOT NULL,
      PRIMARY KEY (key, session_number)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO sharing
      SELECT DISTINCT value, session_number FROM sessions, json_each(coalesce(seen_by, '["everybody"]'));
    CREATE TRIGGER session_shared AFTER INSERT ON sessions BEGIN
      INSERT INTO sharing
        SELECT DISTINCT value, NEW.session_number FROM json_each(coalesce(NEW.seen_by, '["everybody"]'));
    END;
    CREATE TRIGGER session_shared_otherwise AFTER UPDATE OF json ON sessions
    WHEN OLD.seen_by IS NOT NEW.seen_by BEGIN
      DELETE FROM sharing WHERE session_number = OLD.session_number
        AND key IN (SELECT value FROM json_each(coalesce(OLD.seen_by, '["everybody"]')));
      INSERT INTO sharing
        SELECT DISTINCT value, NEW.session_number FROM json_each(coalesce(NEW.seen_by, '["everybody"]'));
    END;
    CREATE TRIGGER session_shared_no_more AFTER DELETE ON sessions BEGIN
      DELETE FROM sharing WHERE session_number = OLD.session_number
        AND key IN (SELECT value FROM json_each(coalesce(OLD.seen_by, '["everybody"]')));
    END;
  `,
};
