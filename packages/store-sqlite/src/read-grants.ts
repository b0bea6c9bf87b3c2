import { fromKey, type GrantQuery, type GrantStore, type StoredGrant } from "@holdpoint/engine";

import { listPage, type Page } from "./lists.ts";
import { toKeys } from "./seen.ts";
import type { GrantStatements } from "./statements/grant-statements.ts";
import { toKey } from "./text-key.ts";

interface GrantRow {
  readonly grant_id: string;
  readonly json: string;
  readonly last_used_at_ms: number | null;
  readonly uses_left: number | null;
}

export function findGrants(
  statements: GrantStatements,
  { keyHash, sessionId, nowMs }: GrantQuery,
): StoredGrant[] {
  const key = toKey(keyHash);
  const rows = [
    ...statements.findGrants.all(key, nowMs),
    ...statements.findSessionGrants.all(key, toKey(sessionId), nowMs),
  ];
  return (rows as unknown as GrantRow[]).map(toGrant);
}

export function getGrant({ getGrant }: GrantStatements, grantId: string): StoredGrant | undefined {
  const row = getGrant.get(toKey(grantId)) as GrantRow | undefined;
  return row && toGrant(row);
}

/** Lists grants, newest first. */
export function listGrants(
  { listGrants }: GrantStatements,
  { nowMs, sight, cursor, limit }: Parameters<GrantStore["listGrants"]>[0],
): Page<StoredGrant> {
  return listPage({ cursor, limit }, { atMs: Number.MAX_SAFE_INTEGER, id: "" }, (start, count) => {
    const place = [start.atMs, toKey(start.id), nowMs, count];
    const rows = listGrants.all(...place, toKeys(sight));
    return (rows as unknown as (GrantRow & { at_ms: number })[]).map((row) => {
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
