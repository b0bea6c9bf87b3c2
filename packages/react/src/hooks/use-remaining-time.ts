import { useState } from "react";

import { leftRefreshMs, remainingTime } from "../parts/time-words.ts";
import { useNow } from "../parts/ui-clock.tsx";
import { useWords } from "../words/use-words.ts";

/** The remaining time in words, kept up to date; `undefined` if there is no end. */
export function useRemainingTime(endsAt: string | undefined): string | undefined {
  const say = useWords();
  const endsAtMs = endsAt === undefined ? undefined : Date.parse(endsAt);
  const [refreshMs, setRefreshMs] = useState(0);
  const now = useNow(refreshMs);
  const needed = endsAtMs === undefined ? 0 : leftRefreshMs(endsAtMs - now);
  if (needed !== refreshMs) setRefreshMs(needed);
  if (endsAtMs === undefined) return undefined;
  return endsAtMs > now ? remainingTime(endsAtMs - now, say) : say("ends now");
}
