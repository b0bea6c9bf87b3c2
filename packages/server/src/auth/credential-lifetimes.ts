import type { Credential } from "@holdpoint/engine";
import { ProtocolError } from "@holdpoint/protocol";

const DAY_MS = 24 * 60 * 60 * 1000;

const DEFAULT_IDLE_DAYS = 30;
const DEFAULT_ABSOLUTE_DAYS = 180;

/** How long a device stays signed in. */
export interface CredentialLifetimes {
  /** Days without any use. Default 30. */
  readonly idleDays?: number | undefined;
  /** Days since it signed in, however much it is used. Default 180. */
  readonly absoluteDays?: number | undefined;
  /** How long what an issuer has said of a person counts, for all that the person has. */
  readonly signInMs?: number | undefined;
}

/** Until when what an issuer has said counts, in milliseconds since the epoch; `Infinity` for the owner, of whom none says anything. */
export function signInEndOf({ signIn }: Credential, { signInMs = 0 }: CredentialLifetimes): number {
  return signIn ? signIn.confirmedAtMs + signInMs : Infinity;
}

/** When a credential ends by itself, in milliseconds since the epoch. An agent's ends with the sign-in of the person who made it. */
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

/** The same while something of it is open, which counts as use. */
export function endWhileOpenOf(credential: Credential, lifetimes: CredentialLifetimes): number {
  return endOf({ ...credential, lastUsedAtMs: Infinity }, lifetimes);
}

/** What is said to who comes with one that has ended. */
export function endedError(): ProtocolError {
  return new ProtocolError("CREDENTIAL_ENDED", "This sign-in has ended. Sign in again.");
}
