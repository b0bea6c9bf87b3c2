import { useEffect, useState } from "react";

import { useUiClock } from "../../parts/ui-clock.tsx";

/** How long something must have been shown unchanged before it can be allowed. */
export const ARMING_MS = 500;

/**
 * False until `shown`, which names what the person looks at, has been the same for `ARMING_MS`. `isNew`: false where that
 * counts from its first change on.
 */
export function useArming(shown: unknown, isNew = true): boolean {
  const clock = useUiClock();
  const [armedFor, setArmedFor] = useState(isNew ? undefined : shown);
  useEffect(() => clock.schedule(ARMING_MS, () => setArmedFor(shown)), [clock, shown]);
  return armedFor === shown;
}
