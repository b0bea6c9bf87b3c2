import type { Transport } from "@holdpoint/client";
import { type Grant, pagesOf } from "@holdpoint/protocol";

const MAX_PAGE_SIZE = 1000;

export interface GrantsShown {
  readonly grants: readonly Grant[];
  readonly hasMore: boolean;
}

/** The newest `count` grants, loaded page by page. */
export async function readGrants(
  transport: Pick<Transport, "listGrants">,
  count: number,
  signal: AbortSignal,
): Promise<GrantsShown> {
  const grants: Grant[] = [];
  for await (const { items, nextCursor } of pagesOf((start) => {
    const limit = Math.min(MAX_PAGE_SIZE, count - grants.length);
    return transport.listGrants({ limit, ...start }, { signal });
  })) {
    grants.push(...items);
    if (grants.length >= count) return { grants, hasMore: nextCursor !== undefined };
  }
  return { grants, hasMore: false };
}
