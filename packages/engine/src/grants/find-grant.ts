import type { ApprovalScope } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import type { StoredGrant } from "../ports/grant-store.ts";

/** The lasting grant that covers a request now. One of a scope that the request does not offer does not. */
export async function findLastingGrant(
  core: Core,
  request: {
    readonly grantHash: string;
    readonly sessionId: string;
    readonly scopes: readonly ApprovalScope[];
  },
): Promise<StoredGrant | undefined> {
  const { grantHash: keyHash, sessionId, scopes } = request;
  const found = await core.store.findGrants({ keyHash, sessionId, nowMs: core.clock.now() });
  return found.find(({ grant }) => grant.scope !== "once" && scopes.includes(grant.scope));
}

/** The one-time grant for exactly one input. */
export async function findOneTimeGrant(
  core: Core,
  request: { readonly exactHash: string; readonly sessionId: string },
): Promise<StoredGrant | undefined> {
  const { exactHash: keyHash, sessionId } = request;
  const found = await core.store.findGrants({ keyHash, sessionId, nowMs: core.clock.now() });
  return found.find(({ grant }) => grant.scope === "once");
}
