import { useEffect, useState } from "react";

import { useUiClock } from "../../parts/ui-clock.tsx";

/** How long something must have been shown unchanged before it can be allowed. */
export const ARMING_MS = 500;

/** False until `shown`, which names what the person looks at, has been the same for `ARMING_MS`. */
export function useArming(shown: string): boolean {
  const clock = useUiClock();
  const [armedFor, setArmedFor] = useState<string>();
  useEffect(() => clock.schedule(ARMING_MS, () => setArmedFor(shown)), [clock, shown]);
  return armedFor === shown;
}
