import { expect } from "vitest";

import { CHAIN_START, chainHash, chainKey } from "../lib/chain.ts";
import type { Store } from "../ports/store.ts";

/** Expects every event of the session with its correct hash. Returns the number of events. */
export async function expectChained(store: Store, sessionId: string): Promise<number> {
  const key = chainKey(sessionId);
  const events = await store.readChain(sessionId, { after: 0, limit: 1_000_000 });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  let previous = CHAIN_START;
  const hashes = events.map(({ seq, json }) => {
    previous = chainHash({ previous, key, seq, json });
    return previous;
  });
  expect(events.map(({ hash }) => hash)).toEqual(hashes);
  return events.length;
}
