import type { Person } from "@holdpoint/protocol";

import { useOverview } from "./use-overview.ts";

/** What the issuer says of the person of this page; `undefined` for the gateway's owner, and until the gateway has said so. */
export function useSignIn(): Person["signIn"] {
  return useOverview().overview.person?.signIn;
}
