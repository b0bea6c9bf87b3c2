import type { GrantQuery, GrantStore, GrantWrite, StoredGrant } from "../ports/grant-store.ts";
import type { SpentGrants } from "../ports/spent-grants.ts";
import type { AppendConflict, Store } from "../ports/store.ts";
import { GrantSeal } from "./grant-seal.ts";

/** For a grant without an end: longer than a history is kept. */
const ENDLESS_MS = 20 * 365 * 24 * 60 * 60 * 1000;
/** A read that is overtaken by a use is repeated, up to this number of reads. */
const MAX_READS = 5;
const MAX_REMEMBERED = 5000;

export interface SealGrantsOptions {
  /** 32 bytes that only this gateway knows. */
  readonly key: Uint8Array;
  readonly spent: SpentGrants;
  readonly now: () => number;
  readonly onError: (error: unknown, where: string) => void;
}

/**
 * The store, limited to grants that a gateway with this key has made. A row that someone else has written, changed,
 * copied or restored is reported once and ignored.
 */
export function sealGrants(store: Store, options: SealGrantsOptions): Store {
  const grants = new SealedGrants(store, options);
  const own: Pick<Store, keyof GrantStore | "append"> = {
    findGrants: (query) => grants.findGrants(query),
    getGrant: (grantId) => grants.getGrant(grantId),
    listGrants: (query) => grants.listGrants(query),
    addGrant: (row) => grants.addGrant(row),
    removeGrant: (grantId) => grants.removeGrant(grantId),
    append: (batch) => grants.append(batch),
  };
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

class SealedGrants implements GrantStore {
  readonly #store: Store;
  readonly #options: SealGrantsOptions;
  readonly #seal: GrantSeal;
  /** Grants by id, as last read. Their uses and expiry are needed when a change spends them. */
  readonly #read = new Map<string, StoredGrant>();
  /** Ids of other writers' rows, by the hash that finds them. */
  readonly #foreign = new Map<string, readonly string[]>();
  readonly #reported = new Set<string>();
  /** The number of changes that have spent something. */
  #spendings = 0;

  constructor(store: Store, options: SealGrantsOptions) {
    this.#store = store;
    this.#options = options;
    this.#seal = new GrantSeal(options.key);
  }

  async findGrants(query: GrantQuery): Promise<readonly StoredGrant[]> {
    const { own, foreign } = await this.#divide(
      () => this.#store.findGrants(query),
      (row) => isFoundBy(row, query),
    );
    if (this.#foreign.size > MAX_REMEMBERED) this.#foreign.clear();
    this.#foreign.delete(query.keyHash);
    if (foreign.length > 0) {
      this.#foreign.set(
        query.keyHash,
        foreign.map(({ grant }) => grant.grantId),
      );
    }
    return own;
  }

  async getGrant(grantId: string): Promise<StoredGrant | undefined> {
    const { own } = await this.#divide(async () => {
      const row = await this.#store.getGrant(grantId);
      return row ? [row] : [];
    });
    return own[0];
  }

  async listGrants(
    query: Parameters<GrantStore["listGrants"]>[0],
  ): Promise<{ items: readonly StoredGrant[]; nextCursor?: string }> {
    let nextCursor: string | undefined;
    const { own } = await this.#divide(async () => {
      const page = await this.#store.listGrants(query);
      ({ nextCursor } = page);
      return page.items;
    });
    return { items: own, ...(nextCursor !== undefined && { nextCursor }) };
  }

  addGrant(row: StoredGrant): Promise<void> {
    return this.#store.addGrant(this.#seal.put(row));
  }

  async removeGrant(grantId: string): Promise<boolean> {
    const isRemoved = await this.#store.removeGrant(grantId);
    if (isRemoved) await this.#spend({ type: "remove", grantId });
    return isRemoved;
  }

  async append(batch: Parameters<Store["append"]>[0]): ReturnType<Store["append"]> {
    if (batch.grants === undefined || batch.grants.length === 0) return this.#store.append(batch);
    const grants = batch.grants.map((write) => this.#toSealed(write));
    const result = await this.#store.append({ ...batch, grants });
    if (result.status === "conflict" && (await this.#isNewForeign(result.conflict))) {
      return this.append(batch);
    }
    if (result.status === "appended") for (const write of grants) await this.#spend(write);
    return result;
  }

  /** Whether the conflict is with a foreign row that was not known: it must be ignored, or the writer would try for ever. */
  async #isNewForeign(conflict: AppendConflict): Promise<boolean> {
    if (conflict.kind !== "grant") return false;
    const { foreign } = await this.#divide(async () => {
      const row = await this.#store.getGrant(conflict.grantId);
      return row ? [row] : [];
    });
    const [row] = foreign;
    const known = (row && this.#foreign.get(row.keyHash)) ?? [];
    if (row === undefined || known.includes(conflict.grantId)) return false;
    this.#foreign.set(row.keyHash, [...known, conflict.grantId]);
    return true;
  }

  #toSealed(write: GrantWrite): GrantWrite {
    if (write.type === "add") return { ...write, row: this.#seal.put(write.row) };
    if (write.type !== "assume") return write;
    // A row that is ignored must not cause a conflict.
    const grantIds = [...write.grantIds, ...(this.#foreign.get(write.keyHash) ?? [])];
    return { ...write, grantIds };
  }

  async #spend(write: GrantWrite): Promise<void> {
    if (write.type !== "use" && write.type !== "remove") return;
    const { grantId } = write;
    const grant = this.#read.get(grantId)?.grant;
    this.#spendings += 1;
    const { usesLeft, expiresAt } = grant ?? {};
    const untilMs =
      expiresAt === undefined ? this.#options.now() + ENDLESS_MS : Date.parse(expiresAt);
    try {
      if (write.type === "remove") await this.#options.spent.add(grantId, untilMs);
      else if (usesLeft !== undefined) await this.#spendUse(grantId, usesLeft, untilMs);
    } catch (error: unknown) {
      this.#options.onError(error, "spent grants");
    }
  }

  async #spendUse(grantId: string, usesLeft: number, untilMs: number): Promise<void> {
    const { spent } = this.#options;
    let left = usesLeft;
    while (left > 0 && spent.has(toUse(grantId, left))) left -= 1;
    if (left > 0) await spent.add(toUse(grantId, left), untilMs);
  }

  /**
   * Separates this gateway's rows from foreign ones. Rows read while a use was written may be older than that use, so
   * they are read again.
   */
  async #divide(
    read: () => Promise<readonly StoredGrant[]>,
    fits: (row: StoredGrant) => boolean = () => true,
  ): Promise<{ own: StoredGrant[]; foreign: StoredGrant[] }> {
    let rows: readonly StoredGrant[] = [];
    for (let reads = 0, before = -1; before !== this.#spendings && reads < MAX_READS; reads += 1) {
      before = this.#spendings;
      rows = await read();
    }
    const own = rows.filter((row) => this.#seal.isOwn(row) && !this.#isSpent(row) && fits(row));
    const foreign = rows.filter((row) => !own.includes(row));
    if (this.#read.size > MAX_REMEMBERED) this.#read.clear();
    for (const row of own) this.#read.set(row.grant.grantId, row);
    for (const { grant } of foreign) this.#report(grant.grantId);
    return { own, foreign };
  }

  #isSpent({ grant: { grantId, usesLeft } }: StoredGrant): boolean {
    const { spent } = this.#options;
    if (spent.has(grantId)) return true;
    return usesLeft !== undefined && (usesLeft <= 0 || spent.has(toUse(grantId, usesLeft)));
  }

  #report(grantId: string): void {
    if (this.#reported.has(grantId) || this.#reported.size > MAX_REMEMBERED) return;
    this.#reported.add(grantId);
    const said =
      "A grant or rule in the store was not written by this gateway, and does not count.";
    this.#options.onError(new Error(said), "grants");
  }
}

/** Remembers spent grants until the gateway ends. */
export function createMemorySpentGrants(): SpentGrants {
  const ids = new Set<string>();
  return { has: (id) => ids.has(id), add: async (id) => void ids.add(id) };
}

function toUse(grantId: string, usesLeft: number): string {
  return `${grantId}#${usesLeft}`;
}

/** Whether the row really matches the query. Someone else can write the columns that it was found by, too. */
function isFoundBy({ grant, keyHash }: StoredGrant, query: GrantQuery): boolean {
  const { sessionId, expiresAt } = grant;
  return (
    keyHash === query.keyHash &&
    (sessionId === undefined || sessionId === query.sessionId) &&
    (expiresAt === undefined || Date.parse(expiresAt) > query.nowMs)
  );
}
