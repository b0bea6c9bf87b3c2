import type { Caller, GrantList, ListQuery, Sight } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { toResponder } from "../lib/to-responder.ts";
import type { Clock } from "../ports/clock.ts";
import type { GrantStore } from "../ports/grant-store.ts";
import type { SessionLog, SessionsOverview } from "../session/session-log.ts";

export interface ListGrantsParts {
  readonly store: GrantStore;
  readonly clock: Clock;
}

export interface RevokeGrantParts extends ListGrantsParts {
  readonly log: SessionLog;
  readonly overview: SessionsOverview;
}

/** The grants that hold now, newest first; without those that hold only in a session that is not seen. */
export async function listGrants(
  { store, clock }: ListGrantsParts,
  { cursor, limit }: ListQuery,
  sight?: Sight,
): Promise<GrantList> {
  const { items, nextCursor } = await store.listGrants({
    nowMs: clock.now(),
    limit,
    sight,
    ...(cursor !== undefined && { cursor }),
  });
  return {
    items: items.map(({ grant }) => grant),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

/**
 * Ends a grant: once this has resolved, no call runs because of it. It is written in the log of the session in which the
 * grant was made, as long as there is one.
 */
export async function revokeGrant(
  { store, clock, log, overview }: RevokeGrantParts,
  caller: Caller,
  grantId: string,
): Promise<void> {
  const stored = await store.getGrant(grantId);
  if (!stored) throw notFound("grant");
  const by = toResponder(caller, clock.now());
  if (stored.sessionId === undefined) return removeUnlogged({ store, overview }, grantId);
  const result = await log.append({
    sessionId: stored.sessionId,
    events: [{ type: "grant_revoked", at: by.at, grantId, by }],
    grants: [{ type: "remove", grantId }],
  });
  if (result.status === "appended") return;
  if (result.conflict.kind !== "no_session") throw notFound("grant");
  return removeUnlogged({ store, overview }, grantId);
}

/** Removes what is of no session, or of none any more. */
async function removeUnlogged(
  { store, overview }: Pick<RevokeGrantParts, "overview" | "store">,
  grantId: string,
): Promise<void> {
  if (!(await store.removeGrant(grantId))) throw notFound("grant");
  overview.grantsChanged();
}
