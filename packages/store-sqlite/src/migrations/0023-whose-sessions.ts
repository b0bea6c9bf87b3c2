import type { Migration } from "./migration.ts";

/**
 * Maps the keys in `seenBy` to sessions: a list follows its own index, and looks each session up here. Sessions that
 * everyone sees have the key `everybody`. A session's rows are written when it is created and when `seenBy` changes.
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
