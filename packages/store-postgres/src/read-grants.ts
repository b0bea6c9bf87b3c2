import type { GrantQuery, GrantStore, StoredGrant } from "@holdpoint/engine";

import { listPage, NEWEST, type Page } from "./lists.ts";
import type { Read } from "./reader.ts";
import { isOfSeen } from "./seen.ts";
import { fromKey, toKey } from "./text-key.ts";
import { toLimit, toWhole } from "./whole-number.ts";

interface GrantRow {
  readonly grant_id: string;
  readonly json: string;
  readonly last_used_at_ms: number | null;
  readonly uses_left: number | null;
}

const ROW = "grant_id, json, last_used_at_ms, uses_left";

/** Finds grants, those for all sessions first. */
export async function findGrants(
  read: Read,
  { keyHash, sessionId, nowMs }: GrantQuery,
): Promise<StoredGrant[]> {
  const rows = await read<GrantRow>(
    `SELECT ${ROW} FROM grants
     WHERE key_hash = $1 AND (expires_at_ms IS NULL OR expires_at_ms > $3)
       AND (session_number IS NULL
         OR session_number = (SELECT session_number FROM sessions WHERE session_id = $2))
     ORDER BY session_number IS NOT NULL, created_at_ms, grant_id`,
    [toKey(keyHash), toKey(sessionId), toWhole(nowMs)],
  );
  return rows.map(toGrant);
}

export async function getGrant(read: Read, grantId: string): Promise<StoredGrant | undefined> {
  const [row] = await read<GrantRow>(`SELECT ${ROW} FROM grants WHERE grant_id = $1`, [
    toKey(grantId),
  ]);
  return row && toGrant(row);
}

/** Lists grants, newest first. */
export function listGrants(
  read: Read,
  { nowMs, sight, cursor, limit }: Parameters<GrantStore["listGrants"]>[0],
): Promise<Page<StoredGrant>> {
  return listPage({ cursor, limit }, NEWEST, async (start, count) => {
    const rows = await read<GrantRow & { readonly at_ms: number }>(
      `SELECT ${ROW}, created_at_ms AS at_ms FROM grants
       WHERE (created_at_ms, grant_id) < ($1, $2) AND (expires_at_ms IS NULL OR expires_at_ms > $3)
         AND (session_number IS NULL OR ${isOfSeen("grants", "$5")})
       ORDER BY created_at_ms DESC, grant_id DESC LIMIT $4`,
      [start.atMs, toKey(start.id), toWhole(nowMs), toLimit(count), sight?.keys ?? null],
    );
    return rows.map((row) => {
      const item = toGrant(row);
      return { item, position: { atMs: row.at_ms, id: item.grant.grantId } };
    });
  });
}

/**
 * Converts a row to a grant. The values that change with a use have their own columns, so that a use does not rewrite
 * the JSON. The id is the column's, by which the row is found and written.
 */
function toGrant({
  grant_id: key,
  json,
  last_used_at_ms: lastUsedAtMs,
  uses_left: usesLeft,
}: GrantRow): StoredGrant {
  const stored = JSON.parse(json) as StoredGrant;
  const used = lastUsedAtMs !== null && { lastUsedAt: new Date(lastUsedAtMs).toISOString() };
  const left = usesLeft !== null && { usesLeft };
  return { ...stored, grant: { ...stored.grant, grantId: fromKey(key), ...used, ...left } };
}
