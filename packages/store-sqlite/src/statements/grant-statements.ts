import type { StatementSync } from "node:sqlite";

import { isSeen } from "../seen.ts";

/** Statements for grants. Values are always bound by position. */
export type GrantStatements = Readonly<Record<keyof typeof GRANT_STATEMENTS, StatementSync>>;

export const GRANT_STATEMENTS = {
  insertGrant: `
      INSERT INTO grants
        (grant_id, epoch, key_hash, session_number, created_at_ms, expires_at_ms, last_used_at_ms, uses_left, json)
      VALUES (?, (SELECT epoch FROM history WHERE id = 1), ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (grant_id) DO NOTHING`,
  useGrant: `
      UPDATE grants SET last_used_at_ms = ?1, uses_left = uses_left - 1
      WHERE grant_id = ?2 AND (session_number IS NULL OR session_number = ?3)
        AND (expires_at_ms IS NULL OR expires_at_ms > ?1) AND (uses_left IS NULL OR uses_left > 0)`,
  deleteUsedUpGrant: `
      DELETE FROM grants WHERE grant_id = ? AND uses_left = 0`,
  takeGrant: `
      DELETE FROM grants WHERE grant_id = ? AND (session_number IS NULL OR session_number = ?)`,
  deleteGrant: `
      DELETE FROM grants WHERE grant_id = ?`,
  deleteExpiredGrants: `
      DELETE FROM grants WHERE expires_at_ms <= ?`,
  getGrant: `
      SELECT grant_id, json, last_used_at_ms, uses_left FROM grants WHERE grant_id = ?`,
  findGrants: `
      SELECT grant_id, json, last_used_at_ms, uses_left FROM grants
      WHERE key_hash = ? AND session_number IS NULL
        AND (expires_at_ms IS NULL OR expires_at_ms > ?)
      ORDER BY created_at_ms, grant_id`,
  findSessionGrants: `
      SELECT grant_id, json, last_used_at_ms, uses_left FROM grants
      WHERE key_hash = ?
        AND session_number = (SELECT session_number FROM sessions WHERE session_id = ?)
        AND (expires_at_ms IS NULL OR expires_at_ms > ?)
      ORDER BY created_at_ms, grant_id`,
  listGrants: `
      SELECT grant_id, json, last_used_at_ms, uses_left, created_at_ms AS at_ms FROM grants
      WHERE (created_at_ms, grant_id) < (?1, ?2) AND (expires_at_ms IS NULL OR expires_at_ms > ?3)
        AND (session_number IS NULL OR ${isSeen("?5")})
      ORDER BY created_at_ms DESC, grant_id DESC LIMIT ?4`,
};
