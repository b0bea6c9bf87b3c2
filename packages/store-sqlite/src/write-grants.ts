import type { AppendConflict } from "@holdpoint/engine";

import type { EncodedGrant, EncodedGrantWrite } from "./encoded-grant.ts";
import type { GrantStatements } from "./statements/grant-statements.ts";

/** Writes grants in a running transaction. Returns the first one that cannot be written, as a conflict. */
export function writeGrants(
  statements: GrantStatements,
  writes: readonly EncodedGrantWrite[],
  sessionNumber: number,
): AppendConflict | undefined {
  for (const write of writes) {
    const grantId = refusedBy(statements, write, sessionNumber);
    if (grantId !== undefined) return { kind: "grant", grantId };
  }
  return undefined;
}

/** Writes one change. Returns the grant that it conflicts with, if any. */
function refusedBy(
  statements: GrantStatements,
  write: EncodedGrantWrite,
  sessionNumber: number,
): string | undefined {
  if (write.type === "assume") {
    const rows = statements.findGrants.all(write.keyHash, write.nowMs) as { grant_id: string }[];
    return rows.find(({ grant_id: key }) => !write.keys.has(key))?.grant_id;
  }
  return writeGrant(statements, write, sessionNumber) ? undefined : write.grantId;
}

function writeGrant(
  statements: GrantStatements,
  write: Exclude<EncodedGrantWrite, { type: "assume" }>,
  sessionNumber: number,
): boolean {
  switch (write.type) {
    case "add":
      return insertGrant(statements, write, write.isBound ? sessionNumber : null);
    case "use": {
      const { key, usedAtMs } = write;
      const isUsed = statements.useGrant.run(usedAtMs, key, sessionNumber).changes === 1;
      if (isUsed) statements.deleteUsedUpGrant.run(key);
      return isUsed;
    }
    case "remove":
      return statements.takeGrant.run(write.key, sessionNumber).changes === 1;
  }
}

/** Inserts a grant. Returns false when it already exists. `owner` is the only session in which it is valid. */
export function insertGrant(
  { insertGrant: insert, deleteExpiredGrants }: GrantStatements,
  grant: EncodedGrant,
  owner: number | null,
): boolean {
  const { key, keyHash, createdAtMs, expiresAtMs, lastUsedAtMs, usesLeft, json } = grant;
  const columns = [key, keyHash, owner, createdAtMs, expiresAtMs, lastUsedAtMs, usesLeft, json];
  deleteExpiredGrants.run(createdAtMs);
  return insert.run(...columns).changes === 1;
}
