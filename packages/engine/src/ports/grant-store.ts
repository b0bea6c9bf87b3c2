import type { Grant, Sight } from "@holdpoint/protocol";

/** A grant as stored, with what clients do not see. */
export interface StoredGrant {
  readonly grant: Grant;
  /** By this it is found. It is made of agent, tool and key, so that keys of different tools never meet. */
  readonly keyHash: string;
  /**
   * The session of the approval that made it. Changes of the grant are written to the log of this session. Absent: a
   * person's rule, which is of no session.
   */
  readonly sessionId?: string;
  /** The gateway's own mark over all of it but what a use changes. To a store it is any text. */
  readonly seal?: string;
}

/**
 * One change of a grant. `use` and `remove` make the batch conflict when the grant is gone, or holds in another session
 * than the batch's; `use` also when the grant has expired by then. A use counts one off `usesLeft`, and the last one takes
 * the grant away. So of any number of concurrent uses no more are written than are left. `assume` changes nothing, and makes
 * the batch conflict when there is a grant that its writer has not seen.
 */
export type GrantWrite =
  /** Those that had expired when this one was made are forgotten. */
  | { readonly type: "add"; readonly row: StoredGrant }
  | { readonly type: "use"; readonly grantId: string; readonly usedAt: string }
  /** Revoked, or used up. */
  | { readonly type: "remove"; readonly grantId: string }
  | AssumedGrants;

/** The grants for all sessions with this hash that held at that instant are these, or some of them are gone. */
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
 * Reads of grants; they are written in a `Batch`. A grant holds in the history that it was made in: a store that opens
 * with a new epoch has forgotten all of them, since any may have been used up or revoked in what was lost.
 */
export interface GrantStore {
  /** The grants that hold in the session at that instant: first those for all sessions, then its own; oldest first. */
  findGrants(query: GrantQuery): Promise<readonly StoredGrant[]>;
  getGrant(grantId: string): Promise<StoredGrant | undefined>;
  /**
   * What has not expired, newest `createdAt` first; `nextCursor` when there are more. With `sight`, of those that hold in one
   * session only where `maySee` lets that through.
   */
  listGrants(query: {
    readonly nowMs: number;
    readonly sight?: Sight | undefined;
    readonly cursor?: string;
    readonly limit: number;
  }): Promise<{ items: readonly StoredGrant[]; nextCursor?: string }>;
  /** For a grant of no session. Those that had expired when it was made are forgotten. */
  addGrant(row: StoredGrant): Promise<void>;
  /** For a grant whose session was deleted, and its log with it. False when there is no such grant. */
  removeGrant(grantId: string): Promise<boolean>;
}
