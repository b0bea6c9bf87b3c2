import type { CredentialStore, StoredCredential } from "@holdpoint/engine";

import type { StoreAccess } from "./access.ts";
import { KeyedRead } from "./keyed-read.ts";
import { toKey } from "./text-key.ts";

/** A use is only written if it is this much newer than the last one. */
const TOUCH_INTERVAL_MS = 60_000;

interface CredentialRow {
  readonly json: string;
  readonly last_used_at_ms: number | null;
}

export function createCredentialStore({ read, write }: StoreAccess): CredentialStore {
  const byHash = new KeyedRead<CredentialRow & { readonly key: string }>(read, {
    name: "credentials",
    text: `SELECT token_hash AS key, json, last_used_at_ms FROM credentials
           WHERE token_hash`,
  });
  return {
    async add({ lastUsedAtMs, ...credential }) {
      const { tokenId, tokenHash, createdAtMs } = credential;
      const json = toJson(credential);
      const columns = { key: toKey(tokenId), hash: toKey(tokenHash), createdAtMs, json };
      await write({
        call: "credential",
        with: { ...columns, ...(lastUsedAtMs !== undefined && { lastUsedAtMs }) },
      });
    },
    async findByHash(tokenHash) {
      const row = await byHash.get(toKey(tokenHash));
      return row && toCredential(row);
    },
    async list() {
      const rows = await read<CredentialRow>(
        "SELECT json, last_used_at_ms FROM credentials ORDER BY created_at_ms, token_id",
      );
      return rows.map(toCredential);
    },
    async replace(whole) {
      const { lastUsedAtMs: _, ...credential } = whole;
      const { tokenId, tokenHash } = credential;
      const json = toJson(credential);
      return write({
        call: "replaced_credential",
        with: { key: toKey(tokenId), hash: toKey(tokenHash), json },
      });
    },
    async touch(tokenId, usedAtMs) {
      const key = toKey(tokenId);
      const due = await read(
        "SELECT 1 FROM credentials WHERE token_id = $1 AND coalesce(last_used_at_ms, $2) <= $2",
        [key, usedAtMs - TOUCH_INTERVAL_MS],
      );
      if (due.length > 0) await write({ call: "credential_use", with: { key, usedAtMs } });
    },
    async revoke(tokenId) {
      return write({ call: "no_credential", with: { key: toKey(tokenId) } });
    },
  };
}

function toCredential({ json, last_used_at_ms: lastUsedAtMs }: CredentialRow): StoredCredential {
  const credential = JSON.parse(json) as StoredCredential;
  return lastUsedAtMs === null ? credential : { ...credential, lastUsedAtMs };
}

/** The seal comes last, like in moved credentials. */
function toJson({ seal, ...credential }: Omit<StoredCredential, "lastUsedAtMs">): string {
  return JSON.stringify({ ...credential, seal });
}
