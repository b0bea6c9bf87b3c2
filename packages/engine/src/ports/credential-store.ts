import type { ProgramScope, SignInMethod } from "@holdpoint/protocol";

/** A person's browser, a person's program, or an agent. */
export type CredentialKind = "agent" | "device" | "program";

/** A person's identity, as an issuer states it. */
export interface SignIn {
  readonly issuer: string;
  /** The issuer's own id for the person, never given to another one. */
  readonly subject: string;
  /** Absent unless the issuer has verified it. */
  readonly email?: string;
  readonly groups: readonly string[];
  /** When the issuer last confirmed this, for any of the person's devices. */
  readonly confirmedAtMs: number;
}

/** The person a credential belongs to. */
export interface Holder {
  /** The name shown to people. */
  readonly person: string;
  /** Identifies the person. Absent for the owner, who signs in with a launch link or from the gateway's terminal. */
  readonly personId?: string;
  readonly signIn?: SignIn;
}

/** A credential as the gateway knows it: with the SHA-256 of its token, never the token. */
export interface Credential extends Holder {
  readonly tokenId: string;
  /** Lower-case hex SHA-256 of the token. */
  readonly tokenHash: string;
  readonly kind: CredentialKind;
  readonly label: string;
  /** Agents only: the session it belongs to. */
  readonly sessionId?: string;
  /** Programs only: the operations it allows. */
  readonly scope?: ProgramScope;
  /** Devices only: how it was signed in. */
  readonly signedInBy?: Extract<SignInMethod, "issuer" | "launch_code" | "pairing_code">;
  /** Devices only: the thumbprint (RFC 7638) of the device's public key. */
  readonly keyThumbprint?: string;
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** Programs only: when it ends. */
  readonly expiresAtMs?: number;
  readonly lastUsedAtMs?: number;
}

/** A credential as stored. */
export interface StoredCredential extends Credential {
  /** The gateway's seal over everything except the last use. A store treats it as opaque text. */
  readonly seal: string;
}

/** Keeps credentials. Rejects with `StoreError` like `Store`. */
export interface CredentialStore {
  add(credential: StoredCredential): Promise<void>;
  findByHash(tokenHash: string): Promise<StoredCredential | undefined>;
  list(): Promise<readonly StoredCredential[]>;
  /** Replaces the credential with the same id, and keeps its last use. False when there is none. */
  replace(credential: StoredCredential): Promise<boolean>;
  /** Records a use. May lag behind by a minute. */
  touch(tokenId: string, usedAtMs: number): Promise<void>;
  /** False when there is no such credential. */
  revoke(tokenId: string): Promise<boolean>;
}
