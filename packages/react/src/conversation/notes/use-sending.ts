import type { Interaction } from "@holdpoint/protocol";
import { useState } from "react";

import { toCallTroubleWords } from "../../hooks/trouble-words.ts";
import { useLanguage } from "../../words/language-context.ts";

interface Sending {
  /** Resolves to whether the gateway accepted the call. */
  readonly send: (call: () => Promise<Interaction>) => Promise<boolean>;
  readonly busy: boolean;
  /** The failure of the last call. */
  readonly trouble: string | undefined;
}

/** Makes one call at a time, and passes its result to `onDone`. */
export function useSending(onDone: (interaction: Interaction) => void): Sending {
  const language = useLanguage();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const send = async (call: () => Promise<Interaction>): Promise<boolean> => {
    if (busy) return false;
    setBusy(true);
    setTrouble(undefined);
    try {
      onDone(await call());
      return true;
    } catch (error: unknown) {
      const { title, wayOut } = toCallTroubleWords(error, language);
      setTrouble(`${title}. ${wayOut}`);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { send, busy, trouble };
}
