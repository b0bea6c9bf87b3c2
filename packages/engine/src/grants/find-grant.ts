import type { ApprovalScope } from "@holdpoint/protocol";

import type { Clock } from "../ports/clock.ts";
import type { GrantStore, StoredGrant } from "../ports/grant-store.ts";
import type { KnownGrants } from "./known-grants.ts";

export interface FindGrantParts {
  readonly store: GrantStore;
  readonly knownGrants: KnownGrants;
  readonly clock: Clock;
}

/** The lasting grant that covers a request, of a scope that the request offers. */
export async function findLastingGrant(
  parts: FindGrantParts,
  request: {
    readonly grantHash: string;
    readonly sessionId: string;
    readonly scopes: readonly ApprovalScope[];
  },
): Promise<StoredGrant | undefined> {
  const { grantHash, sessionId, scopes } = request;
  const found = await findAll(parts, grantHash, sessionId);
  return found.find(({ grant }) => grant.scope !== "once" && scopes.includes(grant.scope));
}

/** The one-time grant for exactly one input. */
export async function findOneTimeGrant(
  parts: FindGrantParts,
  request: { readonly exactHash: string; readonly sessionId: string },
): Promise<StoredGrant | undefined> {
  const found = await findAll(parts, request.exactHash, request.sessionId);
  return found.find(({ grant }) => grant.scope === "once");
}

async function findAll(
  { store, knownGrants, clock }: FindGrantParts,
  keyHash: string,
  sessionId: string,
): Promise<readonly StoredGrant[]> {
  if (!knownGrants.mayHave(keyHash)) return [];
  return store.findGrants({ keyHash, sessionId, nowMs: clock.now() });
}
