import {
  type Caller,
  type Grant,
  type GrantList,
  type ListQuery,
  pagesOf,
  type Sight,
} from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { toResponder } from "../lib/to-responder.ts";
import type { Clock } from "../ports/clock.ts";
import type { GrantStore, StoredGrant } from "../ports/grant-store.ts";
import type { SessionLog, SessionsOverview } from "../session/session-log.ts";

const PAGE_SIZE = 200;

export interface ListGrantsParts {
  readonly store: GrantStore;
  readonly clock: Clock;
}

export interface RevokeGrantParts extends ListGrantsParts {
  readonly log: SessionLog;
  readonly overview: SessionsOverview;
}

/** The valid grants, newest first, except those limited to a session that is not visible. */
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
    items: oneOfEach(items.map(({ grant }) => grant)),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

/** Shows grants that one approval created under several keys of a tool as one grant, which is also revoked as one. */
function oneOfEach(grants: readonly Grant[]): Grant[] {
  const seen = new Set<string>();
  return grants.filter(({ interactionId }) => {
    if (interactionId === undefined) return true;
    const isFirst = !seen.has(interactionId);
    seen.add(interactionId);
    return isFirst;
  });
}

/** The ids of all grants created by the same approval. */
async function leftWith(
  { store, clock }: ListGrantsParts,
  { grant: { grantId, interactionId } }: StoredGrant,
): Promise<string[]> {
  const found = [grantId];
  if (interactionId === undefined) return found;
  for await (const { items } of pagesOf((start) =>
    store.listGrants({ nowMs: clock.now(), limit: PAGE_SIZE, ...start }),
  )) {
    const others = items.filter(
      ({ grant }) => grant.interactionId === interactionId && grant.grantId !== grantId,
    );
    found.push(...others.map(({ grant }) => grant.grantId));
  }
  return found;
}

/**
 * Revokes a grant: once this has resolved, no call runs because of it. The change is written to the log of the session
 * in which the grant was made, if that still exists.
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
  const grantIds = await leftWith({ store, clock }, stored);
  const result = await log.append({
    sessionId: stored.sessionId,
    events: grantIds.map((each) => ({ type: "grant_revoked", at: by.at, grantId: each, by })),
    grants: grantIds.map((each) => ({ type: "remove", grantId: each })),
  });
  if (result.status === "appended") return;
  if (result.conflict.kind !== "no_session") throw notFound("grant");
  return removeUnlogged({ store, overview }, grantId);
}

/** Removes a grant that belongs to no session, or to one that no longer exists. */
async function removeUnlogged(
  { store, overview }: Pick<RevokeGrantParts, "overview" | "store">,
  grantId: string,
): Promise<void> {
  if (!(await store.removeGrant(grantId))) throw notFound("grant");
  overview.grantsChanged();
}
