import { maySee, type Seen } from "@holdpoint/protocol";

import type { GrantQuery, GrantStore, GrantWrite, StoredGrant } from "../ports/grant-store.ts";
import type { AppendConflict, Batch } from "../ports/store.ts";
import { byTime, toPage, type Position } from "./memory-page.ts";

interface GrantEntry {
  readonly row: string;
  readonly keyHash: string;
  readonly grantId: string;
  /** The only session in which it is valid. */
  readonly boundTo: string | undefined;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** The grants of a store in memory, by id, as text. */
export class MemoryGrants implements GrantStore {
  #entries = new Map<string, GrantEntry>();

  /** The grants after the batch, or the batch's conflict. */
  stage({ sessionId, grants = [] }: Batch): Map<string, GrantEntry> | AppendConflict {
    if (grants.length === 0) return this.#entries;
    const next = new Map(this.#entries);
    for (const write of grants) {
      const grantId = refusedBy(next, write, sessionId);
      if (grantId !== undefined) return { kind: "grant", grantId };
    }
    return next;
  }

  commit(staged: Map<string, GrantEntry>): void {
    this.#entries = staged;
  }

  forgetSession(sessionId: string): void {
    for (const [id, { boundTo }] of this.#entries) {
      if (boundTo === sessionId) this.#entries.delete(id);
    }
  }

  async findGrants({ keyHash, sessionId, nowMs }: GrantQuery): Promise<StoredGrant[]> {
    const found = [...this.#entries.values()]
      .filter((entry) => entry.keyHash === keyHash && entry.expiresAtMs > nowMs)
      .toSorted((a, b) => byTime(creationOf(a), creationOf(b)));
    return [undefined, sessionId].flatMap((holder) =>
      found.filter(({ boundTo }) => boundTo === holder).map(toRow),
    );
  }

  async getGrant(grantId: string): Promise<StoredGrant | undefined> {
    const entry = this.#entries.get(grantId);
    return entry && toRow(entry);
  }

  async listGrants(
    query: Parameters<GrantStore["listGrants"]>[0],
    seenByOf: (sessionId: string) => Seen["seenBy"] = () => undefined,
  ): Promise<{ items: StoredGrant[]; nextCursor?: string }> {
    const current = [...this.#entries.values()].filter(
      ({ expiresAtMs, boundTo }) =>
        expiresAtMs > query.nowMs &&
        (boundTo === undefined || maySee({ seenBy: seenByOf(boundTo) }, query.sight)),
    );
    return toPage(current, query, {
      positionOf: creationOf,
      compare: (a, b) => -byTime(a, b),
      toItem: toRow,
    });
  }

  async addGrant(row: StoredGrant): Promise<void> {
    add(this.#entries, row);
  }

  async removeGrant(grantId: string): Promise<boolean> {
    return this.#entries.delete(grantId);
  }
}

/** a grant belongs to the session whose batch creates it. */
export function ownersOfGrants({ grants = [] }: Batch): string[] {
  return grants.flatMap((write) =>
    write.type === "add"
      ? [write.row.sessionId, write.row.grant.sessionId].filter((id) => id !== undefined)
      : [],
  );
}

function toEntry(row: StoredGrant): GrantEntry {
  const { grantId, sessionId, createdAt, expiresAt } = row.grant;
  return {
    row: JSON.stringify(row),
    keyHash: row.keyHash,
    grantId,
    boundTo: sessionId,
    createdAtMs: Date.parse(createdAt),
    expiresAtMs: expiresAt === undefined ? Infinity : Date.parse(expiresAt),
  };
}

function toRow({ row }: GrantEntry): StoredGrant {
  return JSON.parse(row) as StoredGrant;
}

/** The grant after one use; `undefined` after the last one. */
function afterUse(entry: GrantEntry, lastUsedAt: string): GrantEntry | undefined {
  const row = toRow(entry);
  const { usesLeft } = row.grant;
  if (usesLeft === 1) return undefined;
  const left = usesLeft !== undefined && { usesLeft: usesLeft - 1 };
  return toEntry({ ...row, grant: { ...row.grant, lastUsedAt, ...left } });
}

function forgetExpired(entries: Map<string, GrantEntry>, nowMs: number): void {
  for (const [id, { expiresAtMs }] of entries) {
    if (expiresAtMs <= nowMs) entries.delete(id);
  }
}

function creationOf({ createdAtMs, grantId }: GrantEntry): Position {
  return { atMs: createdAtMs, id: grantId };
}

/** Applies one change. Returns the id of the grant that it conflicts with, if any. */
function refusedBy(
  entries: Map<string, GrantEntry>,
  write: GrantWrite,
  sessionId: string,
): string | undefined {
  switch (write.type) {
    case "add": {
      const { grantId } = write.row.grant;
      return add(entries, write.row) ? undefined : grantId;
    }
    case "use":
    case "remove":
      return change(entries, write, sessionId) ? undefined : write.grantId;
    case "assume": {
      const seen = new Set(write.grantIds);
      return [...entries.values()].find(
        ({ keyHash, boundTo, expiresAtMs, grantId }) =>
          keyHash === write.keyHash &&
          boundTo === undefined &&
          expiresAtMs > write.nowMs &&
          !seen.has(grantId),
      )?.grantId;
    }
  }
}

/** False when the grant already exists. */
function add(entries: Map<string, GrantEntry>, row: StoredGrant): boolean {
  const { grantId, createdAt } = row.grant;
  forgetExpired(entries, Date.parse(createdAt));
  if (entries.has(grantId)) return false;
  entries.set(grantId, toEntry(row));
  return true;
}

/** False when there is no such grant, it belongs to another session, or it has expired before its use. */
function change(
  entries: Map<string, GrantEntry>,
  write: Extract<GrantWrite, { type: "use" | "remove" }>,
  sessionId: string,
): boolean {
  const current = entries.get(write.grantId);
  if (!current || (current.boundTo !== undefined && current.boundTo !== sessionId)) return false;
  if (write.type === "use" && current.expiresAtMs <= Date.parse(write.usedAt)) return false;
  const next = write.type === "use" ? afterUse(current, write.usedAt) : undefined;
  if (next) entries.set(write.grantId, next);
  else entries.delete(write.grantId);
  return true;
}
