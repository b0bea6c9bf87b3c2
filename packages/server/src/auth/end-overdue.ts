import type { Clock, Credentials } from "@holdpoint/engine";

import type { StreamRegistry } from "../streams/stream-registry.ts";
import { type CredentialLifetimes, endOf } from "./credential-lifetimes.ts";

const INTERVAL_MS = 60 * 60_000;
/** How long an expired credential is kept, so that a returning page gets `CREDENTIAL_ENDED`. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

export interface EndOverdueParts {
  readonly credentials: Credentials;
  readonly streams: StreamRegistry;
  readonly lifetimes: CredentialLifetimes;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Revokes expired credentials and ends their streams, until disposed. Credentials without an open stream are kept for a
 * while first.
 */
export function endOverdue(parts: EndOverdueParts): Disposable {
  const { clock, onError } = parts;
  const begin = (): Disposable => clock.after(INTERVAL_MS, run);
  const run = (): void => {
    timer = begin();
    sweep(parts).catch(onError);
  };
  let timer = begin();
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

async function sweep({ credentials, streams, lifetimes, clock }: EndOverdueParts): Promise<void> {
  const now = clock.now();
  for (const credential of await credentials.list()) {
    const { tokenId } = credential;
    const endedForMs = now - endOf(credential, lifetimes);
    const isOpen = streams.has(tokenId);
    // Revoked at once: a person without a recent confirmation by an issuer must no longer get notifications.
    const keptMs = isOpen || credential.signIn ? 0 : KEPT_MS;
    if (endedForMs >= keptMs) await credentials.revoke(tokenId);
    // An open page counts as use.
    else if (isOpen) await credentials.touch(tokenId, now);
  }
}
