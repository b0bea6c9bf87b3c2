import { useCallback, useState } from "react";

import { useUiClock } from "../parts/ui-clock.tsx";
import { useWords } from "../words/use-words.ts";
import { useHoldpoint } from "./provider.tsx";
import { takeBackFirst } from "./take-back-first.ts";
import { toCallTroubleWords, type TroubleWords } from "./trouble-words.ts";

export interface StopTurn {
  /** This turn was asked to stop, and is still running. */
  readonly stopping: boolean;
  readonly trouble: TroubleWords | undefined;
  readonly stop: () => Promise<void>;
}

/** Stops the session's running turn, after taking back its queued messages. `turnId`: the running turn, if known. */
export function useStopTurn(sessionId: string, turnId: string | undefined): StopTurn {
  const { language } = useWords();
  const context = useHoldpoint();
  const clock = useUiClock();
  const [asked, setAsked] = useState<{ readonly turnId: string | undefined }>();
  const [trouble, setTrouble] = useState<TroubleWords>();
  // The next turn, for a queued message, may begin at the same moment: it was not asked to stop.
  if (asked !== undefined && asked.turnId !== turnId) setAsked(undefined);

  const stop = useCallback(async () => {
    setAsked({ turnId });
    setTrouble(undefined);
    try {
      await takeBackFirst(context, clock, sessionId);
      await context.transport.stopTurn(sessionId);
    } catch (error: unknown) {
      setAsked(undefined);
      setTrouble(toCallTroubleWords(error, language));
    }
  }, [context, clock, language, sessionId, turnId]);
  return { stopping: asked !== undefined && asked.turnId === turnId, trouble, stop };
}
