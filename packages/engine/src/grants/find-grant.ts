import type { ApprovalScope } from "@holdpoint/protocol";

import type { Clock } from "../ports/clock.ts";
import type { GrantStore, StoredGrant } from "../ports/grant-store.ts";

export interface FindGrantParts {
  readonly store: GrantStore;
  readonly clock: Clock;
}

/** The lasting grant that covers a request now: one of a scope that the request offers. */
export async function findLastingGrant(
  { store, clock }: FindGrantParts,
  request: {
    readonly grantHash: string;
    readonly sessionId: string;
    readonly scopes: readonly ApprovalScope[];
  },
): Promise<StoredGrant | undefined> {
  const { grantHash: keyHash, sessionId, scopes } = request;
  const found = await store.findGrants({ keyHash, sessionId, nowMs: clock.now() });
  return found.find(({ grant }) => grant.scope !== "once" && scopes.includes(grant.scope));
}

/** The one-time grant for exactly one input. */
export async function findOneTimeGrant(
  { store, clock }: FindGrantParts,
  request: { readonly exactHash: string; readonly sessionId: string },
): Promise<StoredGrant | undefined> {
  const { exactHash: keyHash, sessionId } = request;
  const found = await store.findGrants({ keyHash, sessionId, nowMs: clock.now() });
  return found.find(({ grant }) => grant.scope === "once");
}
