import type { Person } from "@holdpoint/protocol";

import { useOverview } from "./use-overview.ts";

/** The person of this page, as the gateway names them; `undefined` for its owner, and until it has said so. */
export function useOwnPerson(): Person | undefined {
  return useOverview().overview.person;
}
