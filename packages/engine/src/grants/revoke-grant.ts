import type { Caller } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { toResponder } from "../interaction/respond.ts";
import { notFound } from "../lib/errors.ts";

/**
 * Ends a grant: once this has resolved, no call runs because of it. The log of the session in which it was made says so,
 * as long as there is one.
 */
export async function revokeGrant(core: Core, caller: Caller, grantId: string): Promise<void> {
  const stored = await core.store.getGrant(grantId);
  if (!stored) throw notFound("grant");
  const by = toResponder(caller, core.clock.now());
  const result = await core.log.append({
    sessionId: stored.sessionId,
    events: [{ type: "grant_revoked", at: by.at, grantId, by }],
    grants: [{ type: "remove", grantId }],
  });
  if (result.status === "appended") return;
  if (result.conflict.kind !== "no_session" || !(await core.store.removeGrant(grantId))) {
    throw notFound("grant");
  }
  core.overview.grantsChanged();
}
