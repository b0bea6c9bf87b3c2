import type { Clock, Credentials } from "@holdpoint/engine";

import type { StreamRegistry } from "../streams/stream-registry.ts";
import { type CredentialLifetimes, endOf } from "./credential-lifetimes.ts";

const INTERVAL_MS = 60 * 60_000;
/** So long a page that comes back is still told why it has to sign in again. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

export interface EndOverdueParts {
  readonly credentials: Credentials;
  readonly streams: StreamRegistry;
  readonly lifetimes: CredentialLifetimes;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Ends what credentials that have ended have open, and forgets them some time later, until it is disposed. */
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
    // Nobody is notified whom no issuer has confirmed for too long.
    const keptMs = isOpen || credential.signIn ? 0 : KEPT_MS;
    if (endedForMs >= keptMs) await credentials.revoke(tokenId);
    // A page that stands open is in use.
    else if (isOpen) await credentials.touch(tokenId, now);
  }
}
