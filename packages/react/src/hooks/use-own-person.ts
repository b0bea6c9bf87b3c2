import type { Person } from "@holdpoint/protocol";
import { useMemo } from "react";

import { useOverview } from "./use-overview.ts";

/**
 * The person of this page, as the gateway names them for good, and what the issuer says of them; nothing of its owner, and
 * until the gateway has said so.
 */
export function useOwnPerson(): Pick<Person, "personId" | "signIn"> {
  const { personId, signIn } = useOverview().overview.person ?? {};
  return useMemo(
    () => ({ ...(personId !== undefined && { personId }), ...(signIn && { signIn }) }),
    [personId, signIn],
  );
}
