import type { Credential } from "@holdpoint/engine";

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a device stays signed in. */
export interface CredentialLifetimes {
  /** Days without any use. Default 30. */
  readonly idleDays: number;
  /** Days since it signed in, however much it is used. Default 180. */
  readonly absoluteDays: number;
}

export const DEFAULT_LIFETIMES: CredentialLifetimes = { idleDays: 30, absoluteDays: 180 };

/** When a credential ends by itself, in milliseconds since the epoch. An agent's ends with its session. */
export function endOf(credential: Credential, lifetimes: CredentialLifetimes): number {
  const { kind, createdAtMs, lastUsedAtMs = createdAtMs, expiresAtMs = Infinity } = credential;
  switch (kind) {
    case "device":
      return Math.min(
        createdAtMs + lifetimes.absoluteDays * DAY_MS,
        lastUsedAtMs + lifetimes.idleDays * DAY_MS,
      );
    case "program":
      return expiresAtMs;
    case "agent":
      return Infinity;
  }
}
