import type { Role } from "@holdpoint/protocol";

import { useOverview } from "./use-overview.ts";

/**
 * What the person of this page may do; `undefined` until the gateway has said so. The gateway enforces it, not the page.
 */
export function useRole(): Role | undefined {
  const { overview } = useOverview();
  if (overview.person) return overview.person.role;
  return overview.epoch === undefined ? undefined : "owner";
}
