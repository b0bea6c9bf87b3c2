import type { DatabaseSync } from "node:sqlite";

import type { Credential, CredentialStore, StoredCredential } from "@holdpoint/engine";

import type { Work } from "./group-commit.ts";
import { toKey } from "./text-key.ts";

/** A use is only written if it is this much newer than the last one. */
const TOUCH_INTERVAL_MS = 60_000;

interface CredentialRow {
  readonly json: string;
  readonly seal: string;
  readonly last_used_at_ms: number | null;
}

/** Access to the store's database. Rejects with `StoreError` when the store is closed or broken. */
export interface StoreAccess {
  readonly read: <T>(run: () => T) => Promise<T>;
  readonly write: <T>(run: () => Work<T>) => Promise<T>;
}

export function createCredentialStore(
  database: DatabaseSync,
  { read, write }: StoreAccess,
): CredentialStore {
  const statements = prepareStatements(database);
  return {
    async add(credential) {
      const { seal, ...rest } = credential;
      const { tokenId, tokenHash, createdAtMs, lastUsedAtMs = null } = rest;
      const json = JSON.stringify(rest);
      const columns = [toKey(tokenId), tokenHash, createdAtMs, lastUsedAtMs, json, seal];
      return write(() => {
        statements.insert.run(...columns);
        return { keep: true, value: undefined };
      });
    },
    async findByHash(tokenHash) {
      return read(() => {
        const row = statements.findByHash.get(tokenHash) as CredentialRow | undefined;
        return row && toCredential(row);
      });
    },
    async list() {
      return read(() => (statements.list.all() as unknown as CredentialRow[]).map(toCredential));
    },
    async replace(credential) {
      const { seal, lastUsedAtMs: _, ...rest } = credential;
      const { tokenId, tokenHash } = rest;
      return write(() => {
        const columns = [tokenHash, JSON.stringify(rest), seal, toKey(tokenId)];
        const wasThere = statements.replace.run(...columns).changes === 1;
        return { keep: wasThere, value: wasThere };
      });
    },
    async touch(tokenId, usedAtMs) {
      const key = toKey(tokenId);
      const isDue = await read(
        () => statements.isDue.get(key, usedAtMs - TOUCH_INTERVAL_MS) !== undefined,
      );
      if (!isDue) return;
      await write(() => {
        statements.touch.run(usedAtMs, key);
        return { keep: true, value: undefined };
      });
    },
    async revoke(tokenId) {
      return write(() => {
        const wasThere = statements.remove.run(toKey(tokenId)).changes === 1;
        return { keep: wasThere, value: wasThere };
      });
    },
  };
}

function prepareStatements(database: DatabaseSync) {
  return {
    insert: database.prepare(`
      INSERT INTO credentials (token_id, token_hash, created_at_ms, last_used_at_ms, json, seal)
      VALUES (?, ?, ?, ?, ?, ?)`),
    findByHash: database.prepare(`
      SELECT json, seal, last_used_at_ms FROM credentials WHERE token_hash = ?`),
    list: database.prepare(`
      SELECT json, seal, last_used_at_ms FROM credentials ORDER BY created_at_ms, token_id`),
    replace: database.prepare(`
      UPDATE credentials SET token_hash = ?, json = ?, seal = ? WHERE token_id = ?`),
    isDue: database.prepare(`
      SELECT 1 FROM credentials
      WHERE token_id = ? AND coalesce(last_used_at_ms, -1e15) <= ?`),
    touch: database.prepare(`
      UPDATE credentials SET last_used_at_ms = max(coalesce(last_used_at_ms, ?1), ?1)
      WHERE token_id = ?2`),
    remove: database.prepare(`
      DELETE FROM credentials WHERE token_id = ?`),
  };
}

function toCredential({
  json,
  seal,
  last_used_at_ms: lastUsedAtMs,
}: CredentialRow): StoredCredential {
  const credential = { ...(JSON.parse(json) as Credential), seal };
  return lastUsedAtMs === null ? credential : { ...credential, lastUsedAtMs };
}
