import type { GrantList, ListQuery } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";

/** What holds now, newest first. */
export async function listGrants(core: Core, { cursor, limit }: ListQuery): Promise<GrantList> {
  const { items, nextCursor } = await core.store.listGrants({
    nowMs: core.clock.now(),
    limit,
    ...(cursor !== undefined && { cursor }),
  });
  return {
    items: items.map(({ grant }) => grant),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}
