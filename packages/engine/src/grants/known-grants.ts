import type { GrantStore, GrantWrite } from "../ports/grant-store.ts";

const PAGE_SIZE = 1000;
/** With more hashes than this, none is kept and every request may be covered. */
const MAX_HASHES = 20_000;

/**
 * The hashes that grants have, so that a request which no grant can cover needs no look-up in the store. It learns of a
 * grant before that is written, so it never lacks one that holds; it may still have hashes of grants that are gone.
 */
export class KnownGrants {
  #hashes: Set<string> | undefined = new Set();

  /** Reads the grants that hold now. To be called once, before anything is asked. */
  async load(store: GrantStore, nowMs: number): Promise<void> {
    for (let cursor: string | undefined; this.#hashes;) {
      const page = await store.listGrants({
        nowMs,
        limit: PAGE_SIZE,
        ...(cursor !== undefined && { cursor }),
      });
      for (const { keyHash } of page.items) this.#add(keyHash);
      cursor = page.nextCursor;
      if (cursor === undefined) return;
    }
  }

  /** To be called before the changes are written. */
  willWrite(changes: readonly GrantWrite[]): void {
    for (const change of changes) if (change.type === "add") this.#add(change.row.keyHash);
  }

  /** Whether there may be a grant at all. */
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
