import type { ReactNode } from "react";

import { agoRefreshMs, agoWords, clockWords } from "./time-words.ts";
import { useNow, useUiClock } from "./ui-clock.tsx";

/** An instant as "2 min ago"; its title has the whole date. */
export function RelativeTime({ at }: { readonly at: string }): ReactNode {
  const clock = useUiClock();
  const instant = Date.parse(at);
  const now = useNow(agoRefreshMs(clock.now() - instant));
  return (
    <time dateTime={at} title={new Date(instant).toLocaleString()}>
      {agoWords(instant, now)}
    </time>
  );
}

/** An instant as "14:02", with the day when it is not today. */
export function ClockTime({ at }: { readonly at: string }): ReactNode {
  const now = useNow(0);
  const instant = Date.parse(at);
  return (
    <time dateTime={at} title={new Date(instant).toLocaleString()}>
      {clockWords(instant, now)}
    </time>
  );
}
