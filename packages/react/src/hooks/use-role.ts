import type { Role } from "@holdpoint/protocol";

import { useOverview } from "./use-overview.ts";

/**
 * What the person of this page may do; `undefined` until the gateway has said so. The gateway enforces it, not the page.
 */
export function useKnownRole(): Role | undefined {
  const { overview } = useOverview();
  if (overview.person) return overview.person.role;
  return overview.epoch === undefined ? undefined : "owner";
}

/** The same; until the gateway has said it, what most are: the owner. */
export function useRole(): Role {
  return useKnownRole() ?? "owner";
}
