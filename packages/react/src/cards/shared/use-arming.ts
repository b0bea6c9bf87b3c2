import { useEffect, useState } from "react";

import { useUiClock } from "../../parts/ui-clock.tsx";

/** How long an approval must be shown unchanged before it can be allowed. */
export const ARMING_MS = 500;

/**
 * False until `shown`, which identifies the visible content, has been the same for `ARMING_MS`. `isNew`: if false, the
 * first value counts at once, and only changes have to wait.
 */
export function useArming(shown: unknown, isNew = true): boolean {
  const clock = useUiClock();
  const [armedFor, setArmedFor] = useState(isNew ? undefined : shown);
  useEffect(() => clock.schedule(ARMING_MS, () => setArmedFor(shown)), [clock, shown]);
  return armedFor === shown;
}
