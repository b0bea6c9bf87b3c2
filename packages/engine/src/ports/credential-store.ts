import type { ProgramScope } from "@holdpoint/protocol";

/** A person's browser, a person's program, or an agent. */
export type CredentialKind = "agent" | "device" | "program";

/** A credential as the gateway knows it: the SHA-256 of its token, never the token. */
export interface Credential {
  readonly tokenId: string;
  /** Lower-case hex SHA-256 of the token. */
  readonly tokenHash: string;
  readonly kind: CredentialKind;
  readonly person: string;
  readonly label: string;
  /** An agent's: the one session that it belongs to. */
  readonly sessionId?: string;
  /** A program's: what it may do. */
  readonly scope?: ProgramScope;
  /** A device's: the thumbprint (RFC 7638) of the public key whose private key it has. */
  readonly keyThumbprint?: string;
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** A program's: when it ends. */
  readonly expiresAtMs?: number;
  readonly lastUsedAtMs?: number;
}

/** A credential as a store keeps it. */
export interface StoredCredential extends Credential {
  /** The gateway's own mark over all of it but its last use. To a store it is any text. */
  readonly seal: string;
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
