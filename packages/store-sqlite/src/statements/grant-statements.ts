import type { DatabaseSync } from "node:sqlite";

import { isOfSeen } from "../seen.ts";

/** The statements about grants. Values are always bound by position. */
export type GrantStatements = ReturnType<typeof prepareGrantStatements>;

export function prepareGrantStatements(database: DatabaseSync) {
  return {
    insertGrant: database.prepare(`
      INSERT INTO grants
        (grant_id, epoch, key_hash, session_number, created_at_ms, expires_at_ms, last_used_at_ms, uses_left, json)
      VALUES (?, (SELECT epoch FROM history WHERE id = 1), ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (grant_id) DO NOTHING`),
    useGrant: database.prepare(`
      UPDATE grants SET last_used_at_ms = ?1, uses_left = uses_left - 1
      WHERE grant_id = ?2 AND (session_number IS NULL OR session_number = ?3)
        AND (expires_at_ms IS NULL OR expires_at_ms > ?1) AND (uses_left IS NULL OR uses_left > 0)`),
    deleteUsedUpGrant: database.prepare(`
      DELETE FROM grants WHERE grant_id = ? AND uses_left = 0`),
    takeGrant: database.prepare(`
      DELETE FROM grants WHERE grant_id = ? AND (session_number IS NULL OR session_number = ?)`),
    deleteGrant: database.prepare(`
      DELETE FROM grants WHERE grant_id = ?`),
    deleteExpiredGrants: database.prepare(`
      DELETE FROM grants WHERE expires_at_ms <= ?`),
    getGrant: database.prepare(`
      SELECT json, last_used_at_ms, uses_left FROM grants WHERE grant_id = ?`),
    findGrants: database.prepare(`
      SELECT grant_id, json, last_used_at_ms, uses_left FROM grants
      WHERE key_hash = ? AND session_number IS NULL
        AND (expires_at_ms IS NULL OR expires_at_ms > ?)
      ORDER BY created_at_ms, grant_id`),
    findSessionGrants: database.prepare(`
      SELECT json, last_used_at_ms, uses_left FROM grants
      WHERE key_hash = ?
        AND session_number = (SELECT session_number FROM sessions WHERE session_id = ?)
        AND (expires_at_ms IS NULL OR expires_at_ms > ?)
      ORDER BY created_at_ms, grant_id`),
    listGrants: database.prepare(`
      SELECT json, last_used_at_ms, uses_left, created_at_ms AS at_ms FROM grants
      WHERE (created_at_ms, grant_id) < (?1, ?2) AND (expires_at_ms IS NULL OR expires_at_ms > ?3)
        AND (session_number IS NULL OR ${isOfSeen("grants", "?5")})
      ORDER BY created_at_ms DESC, grant_id DESC LIMIT ?4`),
  };
}
