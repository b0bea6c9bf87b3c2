import { StoreError } from "../lib/gateway-error.ts";
import type { CredentialStore, StoredCredential } from "../ports/credential-store.ts";

/** Credentials that are lost with the process. Fulfills the contract of `CredentialStore`. */
export function createMemoryCredentialStore(): CredentialStore {
  const credentials = new Map<string, StoredCredential>();
  const findByHash = (tokenHash: string): StoredCredential | undefined =>
    [...credentials.values()].find((credential) => credential.tokenHash === tokenHash);
  return {
    async add(credential) {
      if (credentials.has(credential.tokenId) || findByHash(credential.tokenHash)) {
        throw new StoreError("STORE_FAILED", "This credential already exists.");
      }
      credentials.set(credential.tokenId, { ...credential });
    },
    async findByHash(tokenHash) {
      const credential = findByHash(tokenHash);
      return credential && { ...credential };
    },
    async list() {
      return [...credentials.values()]
        .map((credential) => ({ ...credential }))
        .toSorted((a, b) => a.createdAtMs - b.createdAtMs || (a.tokenId < b.tokenId ? -1 : 1));
    },
    async replace(credential) {
      const { lastUsedAtMs: _, ...rest } = credential;
      const known = credentials.get(credential.tokenId);
      if (!known) return false;
      const { lastUsedAtMs } = known;
      const used = lastUsedAtMs !== undefined && { lastUsedAtMs };
      credentials.set(credential.tokenId, { ...rest, ...used });
      return true;
    },
    async touch(tokenId, usedAtMs) {
      const credential = credentials.get(tokenId);
      if (!credential || (credential.lastUsedAtMs ?? -Infinity) >= usedAtMs) return;
      credentials.set(tokenId, { ...credential, lastUsedAtMs: usedAtMs });
    },
    async revoke(tokenId) {
      return credentials.delete(tokenId);
    },
  };
}
