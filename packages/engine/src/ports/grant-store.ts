import type { Grant, Sight } from "@holdpoint/protocol";

/** A grant as stored, including fields that clients do not see. */
export interface StoredGrant {
  readonly grant: Grant;
  /** The lookup key, made of agent, tool and key, so that keys of different tools never collide. */
  readonly keyHash: string;
  /**
   * The session of the approval that made the grant. Changes of the grant are written to that session's log. Absent for
   * a person's rule, which belongs to no session.
   */
  readonly sessionId?: string;
  /** The gateway's seal over everything except the fields that a use changes. A store treats it as opaque text. */
  readonly seal?: string;
}

/**
 * One change of a grant. `use` and `remove` make the batch conflict when the grant is gone, or is valid only in another
 * session than the batch's; `use` also when the grant has expired. A use decrements `usesLeft`, and the last one
 * removes the grant, so concurrent uses never exceed the number left. `assume` changes nothing, and makes the batch
 * conflict when there is a grant that its writer has not seen.
 */
export type GrantWrite =
  /** Also deletes grants that had expired when this one was made. */
  | { readonly type: "add"; readonly row: StoredGrant }
  | { readonly type: "use"; readonly grantId: string; readonly usedAt: string }
  /** Revoked, or used up. */
  | { readonly type: "remove"; readonly grantId: string }
  | AssumedGrants;

/** Expects that every grant for all sessions with this hash, valid at that instant, is one of these. */
export interface AssumedGrants {
  readonly type: "assume";
  readonly keyHash: string;
  readonly nowMs: number;
  readonly grantIds: readonly string[];
}

export interface GrantQuery {
  readonly keyHash: string;
  readonly sessionId: string;
  readonly nowMs: number;
}

/**
 * Reads grants, which are written in a `Batch`. A grant is valid only in the history it was made in: a store that opens
 * with a new epoch has deleted all grants, since any of them may have been used up or revoked in the lost part.
 */
export interface GrantStore {
  /** The grants valid in the session at that instant: those for all sessions, then the session's own; oldest first. */
  findGrants(query: GrantQuery): Promise<readonly StoredGrant[]>;
  getGrant(grantId: string): Promise<StoredGrant | undefined>;
  /**
   * Grants that have not expired, newest `createdAt` first; `nextCursor` when there are more. With `sight`, grants for
   * a single session are included only where `maySee` allows it.
   */
  listGrants(query: {
    readonly nowMs: number;
    readonly sight?: Sight | undefined;
    readonly cursor?: string;
    readonly limit: number;
  }): Promise<{ items: readonly StoredGrant[]; nextCursor?: string }>;
  /** Adds a grant that belongs to no session. Deletes grants that had expired when it was made. */
  addGrant(row: StoredGrant): Promise<void>;
  /** Removes a grant whose session was deleted together with its log. False when there is no such grant. */
  removeGrant(grantId: string): Promise<boolean>;
}
