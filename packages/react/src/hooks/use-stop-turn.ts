import { useCallback, useState } from "react";

import { toCallTroubleWords, type TroubleWords } from "../conversation/trouble-words.ts";
import { useTransport } from "./use-transport.ts";

export interface StopTurn {
  /** Asked to stop, and still running. */
  readonly stopping: boolean;
  readonly trouble: TroubleWords | undefined;
  readonly stop: () => Promise<void>;
}

/** Asks the session's turn to stop. `running` is what the view says of it. */
export function useStopTurn(sessionId: string, running: boolean): StopTurn {
  const transport = useTransport();
  const [stopping, setStopping] = useState(false);
  const [trouble, setTrouble] = useState<TroubleWords>();
  if (stopping && !running) setStopping(false);

  const stop = useCallback(async () => {
    setStopping(true);
    setTrouble(undefined);
    try {
      await transport.stopTurn(sessionId);
    } catch (error: unknown) {
      setStopping(false);
      setTrouble(toCallTroubleWords(error));
    }
  }, [transport, sessionId]);
  return { stopping, trouble, stop };
}
