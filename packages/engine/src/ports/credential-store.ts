import type { ProgramScope, SignInMethod } from "@holdpoint/protocol";

/** A person's browser, a person's program, or an agent. */
export type CredentialKind = "agent" | "device" | "program";

/** Who an issuer says that somebody is. */
export interface SignIn {
  readonly issuer: string;
  /** The issuer's own name for the person, which it never gives to another one. */
  readonly subject: string;
  /** Absent unless the issuer says that it is verified. */
  readonly email?: string;
  readonly groups: readonly string[];
  /** When the issuer last said so, for any of the person's devices. */
  readonly confirmedAtMs: number;
}

/** Whom a credential is of. */
export interface Holder {
  /** Name for people. */
  readonly person: string;
  /** What tells the person from others. Absent for whom a launch link or the gateway's terminal signs in: the owner. */
  readonly personId?: string;
  readonly signIn?: SignIn;
}

/** A credential as the gateway knows it: the SHA-256 of its token, never the token. */
export interface Credential extends Holder {
  readonly tokenId: string;
  /** Lower-case hex SHA-256 of the token. */
  readonly tokenHash: string;
  readonly kind: CredentialKind;
  readonly label: string;
  /** An agent's: the one session that it belongs to. */
  readonly sessionId?: string;
  /** A program's: what it may do. */
  readonly scope?: ProgramScope;
  /** A device's: by what it was signed in. Absent of one that an earlier release has signed in. */
  readonly signedInBy?: Extract<SignInMethod, "issuer" | "launch_code" | "pairing_code">;
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
  /** Puts it in the place of the one with its id, and keeps the last use. False when there is none. */
  replace(credential: StoredCredential): Promise<boolean>;
  /** Remembers the use; may lag behind by a minute. */
  touch(tokenId: string, usedAtMs: number): Promise<void>;
  /** False when there is no such credential. */
  revoke(tokenId: string): Promise<boolean>;
}
