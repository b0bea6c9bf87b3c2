import { useCallback, useState } from "react";

import { useWords } from "../words/use-words.ts";
import { toCallTroubleWords, type TroubleWords } from "./trouble-words.ts";
import { useOverview } from "./use-overview.ts";
import { useTransport } from "./use-transport.ts";

export interface InteractionMode {
  /** Whether this client may answer, according to the gateway. */
  readonly enabled: boolean;
  readonly trouble: TroubleWords | undefined;
  /** Resolves once the gateway has it. A failure changes nothing and is reported in `trouble`. */
  readonly setEnabled: (enabled: boolean) => Promise<void>;
}

/** Turns answering from this client on and off. The gateway enforces it, not the page. */
export function useInteractionMode(): InteractionMode {
  const { language } = useWords();
  const transport = useTransport();
  const { overview } = useOverview();
  const [trouble, setTrouble] = useState<TroubleWords>();
  const { person, presence } = overview;
  const self = presence?.clients.find(
    ({ clientId, personId }) => clientId === transport.clientId && personId === person?.personId,
  );
  const setEnabled = useCallback(
    async (enabled: boolean) => {
      setTrouble(undefined);
      try {
        await transport.setInteractionMode(enabled);
      } catch (error: unknown) {
        setTrouble(toCallTroubleWords(error, language));
      }
    },
    [transport, language],
  );
  const mayAnswer = person?.role !== "viewer";
  return { enabled: mayAnswer && (self?.interactionEnabled ?? true), trouble, setEnabled };
}
