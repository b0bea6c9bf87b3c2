import type { Caller, Grant, GrantList, ListQuery, Sight } from "@holdpoint/protocol";

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
    items: oneOfEach(items.map(({ grant }) => grant)),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

/** What one approval left under several keys of a tool is one grant to a person: it is revoked as one. */
function oneOfEach(grants: readonly Grant[]): Grant[] {
  const seen = new Set<string>();
  return grants.filter(({ interactionId }) => {
    if (interactionId === undefined) return true;
    const isFirst = !seen.has(interactionId);
    seen.add(interactionId);
    return isFirst;
  });
}

/** All grants that the approval of this one has left. */
async function leftWith(
  { store, clock }: ListGrantsParts,
  { grant: { grantId, interactionId } }: StoredGrant,
): Promise<string[]> {
  const found = [grantId];
  if (interactionId === undefined) return found;
  for (let cursor: string | undefined; ;) {
    const query = { nowMs: clock.now(), limit: PAGE_SIZE };
    const page = await store.listGrants({ ...query, ...(cursor !== undefined && { cursor }) });
    const others = page.items.filter(
      ({ grant }) => grant.interactionId === interactionId && grant.grantId !== grantId,
    );
    found.push(...others.map(({ grant }) => grant.grantId));
    cursor = page.nextCursor;
    if (cursor === undefined) return found;
  }
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

/** Removes what is of no session, or of none any more. */
async function removeUnlogged(
  { store, overview }: Pick<RevokeGrantParts, "overview" | "store">,
  grantId: string,
): Promise<void> {
  if (!(await store.removeGrant(grantId))) throw notFound("grant");
  overview.grantsChanged();
}
