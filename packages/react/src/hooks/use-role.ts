import type { Role } from "@holdpoint/protocol";

import { useOverview } from "./use-overview.ts";

/** The role of this page's person; `undefined` until loaded. The gateway enforces it, not the page. */
export function useKnownRole(): Role | undefined {
  const { overview } = useOverview();
  if (overview.person) return overview.person.role;
  return overview.epoch === undefined ? undefined : "owner";
}

/** The role of this page's person. Until it is loaded, the most common one: owner. */
export function useRole(): Role {
  return useKnownRole() ?? "owner";
}
