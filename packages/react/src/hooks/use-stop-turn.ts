import { useCallback, useState } from "react";

import { useHoldpoint } from "./provider.tsx";
import { toCallTroubleWords, type TroubleWords } from "./trouble-words.ts";

export interface StopTurn {
  /** This very turn was asked to stop, and still runs. */
  readonly stopping: boolean;
  readonly trouble: TroubleWords | undefined;
  readonly stop: () => Promise<void>;
}

/**
 * Asks the session's running turn to stop, after its queued messages were taken back. `turnId` is the one that runs, as far as
 * it is known.
 */
export function useStopTurn(sessionId: string, turnId: string | undefined): StopTurn {
  const context = useHoldpoint();
  const [asked, setAsked] = useState<{ readonly turnId: string | undefined }>();
  const [trouble, setTrouble] = useState<TroubleWords>();
  // The next turn, of a queued message, may begin in the same moment: it was not asked to stop.
  if (asked !== undefined && asked.turnId !== turnId) setAsked(undefined);

  const stop = useCallback(async () => {
    setAsked({ turnId });
    setTrouble(undefined);
    try {
      // Where that fails the turn is stopped all the same.
      await import("./take-back-queue.ts")
        .then(({ takeBackQueue }) => takeBackQueue(context, sessionId))
        .catch(() => undefined);
      await context.transport.stopTurn(sessionId);
    } catch (error: unknown) {
      setAsked(undefined);
      setTrouble(toCallTroubleWords(error));
    }
  }, [context, sessionId, turnId]);
  return { stopping: asked !== undefined && asked.turnId === turnId, trouble, stop };
}
