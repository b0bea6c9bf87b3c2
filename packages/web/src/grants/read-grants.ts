import type { Transport } from "@holdpoint/client";
import type { Grant } from "@holdpoint/protocol";

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
  for (let cursor: string | undefined; ;) {
    const limit = Math.min(MAX_PAGE_SIZE, count - grants.length);
    const query = { limit, ...(cursor !== undefined && { cursor }) };
    const page = await transport.listGrants(query, { signal });
    grants.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined || grants.length >= count) {
      return { grants, hasMore: cursor !== undefined };
    }
  }
}
