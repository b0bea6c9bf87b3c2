import type { AppendConflict } from "@holdpoint/engine";

import type { EncodedGrantWrite } from "./encoded-grant.ts";
import type { GrantStatements } from "./grant-statements.ts";

/** Writes grants inside a running transaction; the first that cannot be written is the conflict. */
export function writeGrants(
  statements: GrantStatements,
  writes: readonly EncodedGrantWrite[],
  sessionNumber: number,
): AppendConflict | undefined {
  for (const write of writes) {
    if (!writeGrant(statements, write, sessionNumber)) {
      return { kind: "grant", grantId: write.grantId };
    }
  }
  return undefined;
}

function writeGrant(
  { insertGrant, useGrant, takeGrant, deleteExpiredGrants }: GrantStatements,
  write: EncodedGrantWrite,
  sessionNumber: number,
): boolean {
  switch (write.type) {
    case "add": {
      const { key, keyHash, isBound, createdAtMs, expiresAtMs, lastUsedAtMs, json } = write;
      const owner = isBound ? sessionNumber : null;
      const columns = [key, keyHash, owner, createdAtMs, expiresAtMs, lastUsedAtMs, json];
      deleteExpiredGrants.run(createdAtMs);
      return insertGrant.run(...columns).changes === 1;
    }
    case "use":
      return useGrant.run(write.usedAtMs, write.key, sessionNumber).changes === 1;
    case "remove":
      return takeGrant.run(write.key, sessionNumber).changes === 1;
  }
}
