import type { GrantWrite, StoredGrant } from "@holdpoint/engine";

import { toKey } from "./text-key.ts";

/** A grant as columns and JSON text. */
export interface EncodedGrant {
  readonly grantId: string;
  readonly key: string;
  readonly keyHash: string;
  /** True if it is valid in the batch's session only. */
  readonly isBound: boolean;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly usesLeft: number | null;
  readonly json: string;
}

/** A change of a grant as columns and JSON text. */
export type EncodedGrantWrite =
  | ({ readonly type: "add" } & EncodedGrant)
  | {
      readonly type: "use";
      readonly grantId: string;
      readonly key: string;
      readonly usedAtMs: number;
    }
  | { readonly type: "remove"; readonly grantId: string; readonly key: string }
  | {
      readonly type: "assume";
      readonly keyHash: string;
      readonly nowMs: number;
      readonly keys: ReadonlySet<string>;
    };

export function encodeGrantWrite(write: GrantWrite): EncodedGrantWrite {
  switch (write.type) {
    case "add":
      return { type: "add", ...encodeGrant(write.row) };
    case "use": {
      const { grantId, usedAt } = write;
      return { type: "use", grantId, key: toKey(grantId), usedAtMs: Date.parse(usedAt) };
    }
    case "remove":
      return { type: "remove", grantId: write.grantId, key: toKey(write.grantId) };
    case "assume": {
      const { keyHash, nowMs, grantIds } = write;
      return { type: "assume", keyHash: toKey(keyHash), nowMs, keys: new Set(grantIds.map(toKey)) };
    }
  }
}

export function encodeGrant(row: StoredGrant): EncodedGrant {
  const { grantId, sessionId, createdAt, expiresAt, lastUsedAt, usesLeft } = row.grant;
  return {
    grantId,
    key: toKey(grantId),
    keyHash: toKey(row.keyHash),
    isBound: sessionId !== undefined,
    createdAtMs: Date.parse(createdAt),
    expiresAtMs: expiresAt === undefined ? null : Date.parse(expiresAt),
    lastUsedAtMs: lastUsedAt === undefined ? null : Date.parse(lastUsedAt),
    usesLeft: usesLeft ?? null,
    json: JSON.stringify(row),
  };
}

/** Returns the sessions that a change refers to. Each must be the batch's own. */
export function ownersOfGrant(write: GrantWrite): string[] {
  if (write.type !== "add") return [];
  const { sessionId, grant } = write.row;
  return [sessionId, grant.sessionId].filter((id) => id !== undefined);
}
