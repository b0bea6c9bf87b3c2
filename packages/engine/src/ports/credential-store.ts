/** A credential as stored: the SHA-256 of its token, never the token. */
export interface StoredCredential {
  readonly tokenId: string;
  /** Lower-case hex SHA-256 of the token. */
  readonly tokenHash: string;
  readonly principal: "person" | "agent";
  readonly person: string;
  readonly label: string;
  /** An agent's: the one session that it belongs to. */
  readonly sessionId?: string;
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number;
  readonly lastUsedAtMs?: number;
}

/** Keeps credentials. Rejects with `StoreError` like `Store`. */
export interface CredentialStore {
  add(credential: StoredCredential): Promise<void>;
  findByHash(tokenHash: string): Promise<StoredCredential | undefined>;
  list(): Promise<readonly StoredCredential[]>;
  /** Remembers the use; may lag behind by a minute. */
  touch(tokenId: string, usedAtMs: number): Promise<void>;
  /** False when there is no such credential. */
  revoke(tokenId: string): Promise<boolean>;
}
