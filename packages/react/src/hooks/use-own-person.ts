import type { Person } from "@holdpoint/protocol";

import { useOverview } from "./use-overview.ts";

/** The person of this page, as named by the gateway; `undefined` for its owner, and until it is loaded. */
export function useOwnPerson(): Person | undefined {
  return useOverview().overview.person;
}
