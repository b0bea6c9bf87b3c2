import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { agoRefreshMs, agoWords, clockWords } from "./time-words.ts";
import { useNow, useUiClock } from "./ui-clock.tsx";

/** An instant as "2 min ago", with the full date as its title. */
export function RelativeTime({ at }: { readonly at: string }): ReactNode {
  const say = useWords();
  const clock = useUiClock();
  const instant = Date.parse(at);
  const now = useNow(agoRefreshMs(clock.now() - instant));
  return (
    <time dateTime={at} title={new Date(instant).toLocaleString(say.language.locale)}>
      {agoWords(instant, now, say)}
    </time>
  );
}

/** An instant as "14:02", with the date if it is not today. */
export function ClockTime({ at }: { readonly at: string }): ReactNode {
  const { language } = useWords();
  const now = useNow(0);
  const instant = Date.parse(at);
  return (
    <time dateTime={at} title={new Date(instant).toLocaleString(language.locale)}>
      {clockWords(instant, now, language.locale)}
    </time>
  );
}
