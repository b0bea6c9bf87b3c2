import type { Credential } from "@holdpoint/engine";
import { ProtocolError } from "@holdpoint/protocol";

const DAY_MS = 24 * 60 * 60 * 1000;

const DEFAULT_IDLE_DAYS = 30;
const DEFAULT_ABSOLUTE_DAYS = 180;

/** How long a device stays signed in. */
export interface CredentialLifetimes {
  /** Days without any use. Default 30. */
  readonly idleDays?: number | undefined;
  /** Days since sign-in, regardless of use. Default 180. */
  readonly absoluteDays?: number | undefined;
  /** How long an issuer's confirmation of a person lasts. It limits all of the person's credentials. */
  readonly signInMs?: number | undefined;
}

/**
 * When the issuer's confirmation expires, in milliseconds since the epoch. `Infinity` for the owner: no issuer confirms
 * the owner.
 */
export function signInEndOf({ signIn }: Credential, { signInMs = 0 }: CredentialLifetimes): number {
  return signIn ? signIn.confirmedAtMs + signInMs : Infinity;
}

/**
 * When a credential expires, in milliseconds since the epoch. An agent's expires with the sign-in of the person who
 * created it.
 */
export function endOf(credential: Credential, lifetimes: CredentialLifetimes): number {
  const { kind, createdAtMs, lastUsedAtMs = createdAtMs, expiresAtMs = Infinity } = credential;
  const confirmedUntilMs = signInEndOf(credential, lifetimes);
  const { idleDays = DEFAULT_IDLE_DAYS, absoluteDays = DEFAULT_ABSOLUTE_DAYS } = lifetimes;
  switch (kind) {
    case "device":
      return Math.min(
        createdAtMs + absoluteDays * DAY_MS,
        lastUsedAtMs + idleDays * DAY_MS,
        confirmedUntilMs,
      );
    case "program":
      return Math.min(expiresAtMs, confirmedUntilMs);
    case "agent":
      return confirmedUntilMs;
  }
}

/**
 * When a credential expires while one of its streams is open (an open stream counts as use), in milliseconds since the
 * epoch.
 */
export function endWhileOpenOf(credential: Credential, lifetimes: CredentialLifetimes): number {
  return endOf({ ...credential, lastUsedAtMs: Infinity }, lifetimes);
}

/** The error for a request with an expired credential. */
export function endedError(): ProtocolError {
  return new ProtocolError("CREDENTIAL_ENDED", "This sign-in has ended. Sign in again.");
}
