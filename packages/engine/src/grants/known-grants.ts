import { pagesOf } from "@holdpoint/protocol";

import type { GrantStore, GrantWrite } from "../ports/grant-store.ts";

const PAGE_SIZE = 1000;
/** Above this number of hashes, none is kept and any request may be covered. */
const MAX_HASHES = 20_000;

/**
 * The hashes of grants, so that a request which no grant can cover needs no look-up in the store. A hash is added
 * before its grant is written, so no valid grant is missing. Hashes of grants that are gone may remain.
 */
export class KnownGrants {
  #hashes: Set<string> | undefined = new Set();

  /** Reads the valid grants. Call this once, before any request. */
  async load(store: GrantStore, nowMs: number): Promise<void> {
    const query = { nowMs, limit: PAGE_SIZE };
    for await (const { items } of pagesOf((start) => store.listGrants({ ...query, ...start }))) {
      for (const { keyHash } of items) this.#add(keyHash);
      if (!this.#hashes) return;
    }
  }

  /** Call this before the changes are written. */
  willWrite(changes: readonly GrantWrite[]): void {
    for (const change of changes) if (change.type === "add") this.#add(change.row.keyHash);
  }

  /** Whether there may be any grant. */
  get hasAny(): boolean {
    return this.#hashes?.size !== 0;
  }

  /** Whether there may be a grant with this hash. */
  mayHave(keyHash: string): boolean {
    return this.#hashes?.has(keyHash) ?? true;
  }

  #add(keyHash: string): void {
    this.#hashes?.add(keyHash);
    if (this.#hashes && this.#hashes.size > MAX_HASHES) this.#hashes = undefined;
  }
}
