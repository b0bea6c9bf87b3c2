import type { CredentialStore, StoredCredential } from "../ports/credential-store.ts";

/** A gateway's credentials: those of its store, and word of each that is revoked. Rejects as the store does. */
export class Credentials implements CredentialStore {
  readonly #store: CredentialStore;
  readonly #onRevoked = new Set<(tokenId: string) => Promise<void>>();

  constructor(store: CredentialStore) {
    this.#store = store;
  }

  add(credential: StoredCredential): Promise<void> {
    return this.#store.add(credential);
  }

  findByHash(tokenHash: string): Promise<StoredCredential | undefined> {
    return this.#store.findByHash(tokenHash);
  }

  list(): Promise<readonly StoredCredential[]> {
    return this.#store.list();
  }

  touch(tokenId: string, usedAtMs: number): Promise<void> {
    return this.#store.touch(tokenId, usedAtMs);
  }

  /** Ends what was opened with the credential as well. False when there is no such credential. */
  async revoke(tokenId: string): Promise<boolean> {
    if (!(await this.#store.revoke(tokenId))) return false;
    await Promise.all([...this.#onRevoked].map((run) => run(tokenId)));
    return true;
  }

  /** Lets no credential outlive the session that it belongs to. */
  async revokeOfSession(sessionId: string): Promise<void> {
    const credentials = await this.list();
    for (const { tokenId } of credentials.filter((listed) => listed.sessionId === sessionId)) {
      await this.revoke(tokenId);
    }
  }

  /** Has this run with the id of each credential that is revoked, such as to close its streams; revoking waits for it. */
  onRevoked(run: (tokenId: string) => Promise<void>): Disposable {
    this.#onRevoked.add(run);
    return { [Symbol.dispose]: () => void this.#onRevoked.delete(run) };
  }
}
