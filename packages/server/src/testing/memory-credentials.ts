import type { CredentialStore, StoredCredential } from "@holdpoint/engine";

/** Credentials in memory. */
export function createMemoryCredentials(): CredentialStore {
  const byId = new Map<string, StoredCredential>();
  return {
    add: async (credential) => void byId.set(credential.tokenId, credential),
    findByHash: async (hash) => [...byId.values()].find(({ tokenHash }) => tokenHash === hash),
    list: async () => [...byId.values()],
    touch: async (tokenId, lastUsedAtMs) => {
      const credential = byId.get(tokenId);
      if (credential) byId.set(tokenId, { ...credential, lastUsedAtMs });
    },
    revoke: async (tokenId) => byId.delete(tokenId),
  };
}
